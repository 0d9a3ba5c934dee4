-- Removes runs that are not done yet, also from workers that hold them.
-- KEYS: jobs, runs. ARGV: entry and run, in turn. Returns how many there were.
local nr = 0
for i = 1, #ARGV, 2 do
  redis.call('XACK', KEYS[1], 'workers', ARGV[i])
  if redis.call('XDEL', KEYS[1], ARGV[i]) == 1 then
    local state = redis.call('HGET', KEYS[2], ARGV[i + 1])
    if state and string.sub(state, 1, 1) == 'q' then redis.call('HDEL', KEYS[2], ARGV[i + 1]) end
    nr = nr + 1
  end
end
return nr
