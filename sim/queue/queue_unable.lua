-- A worker cannot do the runs of a bundle.
-- KEYS: unable:<bundle>, workers. ARGV: worker, program, prefix. Returns how many others may be able.
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], 3600)
local able = 0
for _, name in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  local program = redis.call('HGET', ARGV[3] .. 'worker:' .. name, 'program')
  if program == ARGV[2] and redis.call('SISMEMBER', KEYS[1], name) == 0 then able = able + 1 end
end
return able
