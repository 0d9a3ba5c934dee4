-- Removes dead letters: they return to the stream of their program or, without one, go for good, and their runs are
-- forgotten so that they can be asked for again. A run that has an entry by now, or another letter, gets no second one.
-- KEYS: dead, runs, then for those that return: programs, jobs. ARGV: program ("": none), then letters.
-- Returns how many returned, or went for good.
local nr = 0
for i = 2, #ARGV do
  local entry = redis.call('XRANGE', KEYS[1], ARGV[i], ARGV[i])[1]
  if entry then
    local row = {}
    for f = 1, #entry[2], 2 do row[entry[2][f]] = entry[2][f + 1] end
    local run = row['r'] or ''
    local state = redis.call('HGET', KEYS[2], run)
    local mine = state == 'd' .. ARGV[i]
    if #KEYS < 4 then
      if mine then redis.call('HDEL', KEYS[2], run) end
      nr = nr + 1
    elseif mine or not state then
      redis.call('XADD', KEYS[4], '*', 'b', row['b'], 'p', row['p'], 'r', run)
      redis.call('HSET', KEYS[2], run, 'q' .. string.sub(row['b'] or '', 1, 8))
      redis.call('SADD', KEYS[3], ARGV[1])
      nr = nr + 1
    end
    redis.call('XDEL', KEYS[1], ARGV[i])
  end
end
return nr
