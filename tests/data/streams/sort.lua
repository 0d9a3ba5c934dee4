local t = {}
for i = 1, 400 do t[i] = {k = i * 7919 % 1009, s = tostring(i)} end
table.sort(t, function(a, b) return a.k < b.k end)
local x = 0.0
for i = 1, #t do x = x + t[i].k / i + #t[i].s end
print(x)
