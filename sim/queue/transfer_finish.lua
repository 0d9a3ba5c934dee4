-- Gives a file its name. A sender that finds it there already, as long, drops its own; a key of another length, or one
-- that is no string, is no file of ours.
-- KEYS: the name, the key under which it was put together. ARGV: its length in bytes.
-- Returns 1: it was not there; 0: it was; -1: what was put together is gone.
local function length(key)
  if redis.call('TYPE', key).ok ~= 'string' then return -1 end
  return redis.call('STRLEN', key)
end
if length(KEYS[1]) == tonumber(ARGV[1]) then
  redis.call('DEL', KEYS[2])
  return 0
end
if length(KEYS[2]) ~= tonumber(ARGV[1]) then return -1 end
redis.call('PERSIST', KEYS[2])
redis.call('RENAME', KEYS[2], KEYS[1])
return 1
