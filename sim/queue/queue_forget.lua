-- Ends a submission: removes its files that no other one uses and, with the last submission, all that is left.
-- KEYS: submissions, results, submission:<id>, runs, errors, dead, programs, meta. ARGV: prefix, id.
local function files_of(key)
  local files, found = redis.call('HGET', key, 'files') or '', {}
  for i = 1, #files, 32 do found[#found + 1] = string.sub(files, i, i + 31) end
  return found
end
redis.pcall('XGROUP', 'DESTROY', KEYS[2], ARGV[2])
redis.call('SREM', KEYS[1], ARGV[2])
local used = {}
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  for _, file in ipairs(files_of(ARGV[1] .. 'submission:' .. id)) do used[file] = true end
end
for _, file in ipairs(files_of(KEYS[3])) do
  if not used[file] then
    local hex = string.gsub(file, '.', function(c) return string.format('%02x', string.byte(c)) end)
    redis.call('UNLINK', ARGV[1] .. 'file:' .. hex)
  end
end
redis.call('DEL', KEYS[3])
if redis.call('SCARD', KEYS[1]) == 0 then
  for _, program in ipairs(redis.call('SMEMBERS', KEYS[7])) do
    redis.call('UNLINK', ARGV[1] .. 'jobs:' .. program)
  end
  redis.call('UNLINK', KEYS[2], KEYS[4], KEYS[5], KEYS[6], KEYS[7])
  redis.call('HDEL', KEYS[8], 'result_bytes')
end
return 1
