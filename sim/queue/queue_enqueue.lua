-- Gives an entry to each run that has none. A dead letter gets another life when somebody asks for its run again.
-- A submission that asks for runs which another bundle has brought has to see their results, too: it `shares`.
-- KEYS: runs, jobs, dead, submission:<id>, submissions.
-- ARGV: bundle, force, prefix, then hash and position of each run. Returns how many entries were added.
local added, mine = 0, 'q' .. string.sub(ARGV[1], 1, 8)
-- Who has the bundle of a letter now waits for the new result of its run.
local function share(fields)
  local bundle = ''
  for i = 1, #fields, 2 do
    if fields[i] == 'b' then bundle = fields[i + 1] end
  end
  if bundle == ARGV[1] or #bundle ~= 32 then return end
  for _, id in ipairs(redis.call('SMEMBERS', KEYS[5])) do
    local key = ARGV[3] .. 'submission:' .. id
    if string.find(redis.call('HGET', key, 'files') or '', bundle, 1, true) then
      redis.call('HSET', key, 'shares', '1')
    end
  end
end
for i = 4, #ARGV, 2 do
  local new = redis.call('HSETNX', KEYS[1], ARGV[i], mine) == 1
  if not new then
    local state = redis.call('HGET', KEYS[1], ARGV[i])
    if string.sub(state, 1, 1) == 'd' then
      local letter = redis.call('XRANGE', KEYS[3], string.sub(state, 2), string.sub(state, 2))[1]
      if letter then share(letter[2]) end
      redis.call('HSET', KEYS[1], ARGV[i], mine)
      redis.call('XDEL', KEYS[3], string.sub(state, 2))
      new = true
    elseif state ~= mine then
      redis.call('HSET', KEYS[4], 'shares', '1')
    end
  end
  if new or ARGV[2] == '1' then
    redis.call('XADD', KEYS[2], '*', 'b', ARGV[1], 'p', ARGV[i + 1], 'r', ARGV[i])
    added = added + 1
  end
end
return added
