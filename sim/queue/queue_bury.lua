-- Functions that stand before queue_take.lua and queue_fail.lua, for their KEYS.
-- luacheck: ignore 211
local function field(fields, name)
  for i = 1, #fields, 2 do
    if fields[i] == name then return fields[i + 1] end
  end
  return ''
end

-- Gives a run up: a dead letter, and a result that says so.
local function bury(id, fields, tries, program, worker)
  local run = field(fields, 'r')
  local why = redis.call('HGET', KEYS[6], run) or '\nits workers were lost'
  why = string.match(why, '\n(.*)$') or why
  local letter = redis.call('XADD', KEYS[3], '*', 'b', field(fields, 'b'), 'p', field(fields, 'p'), 'r', run,
    'g', program, 'n', tries, 'e', why, 'w', worker)
  redis.call('XADD', KEYS[4], '*', 'b', field(fields, 'b'), 'r', run, 'x', why, 'n', tries, 'w', worker)
  redis.call('HSET', KEYS[2], run, 'd' .. letter)
  redis.call('HDEL', KEYS[6], run)
  redis.call('XACK', KEYS[1], 'workers', id)
  redis.call('XDEL', KEYS[1], id)
end
