-- A worker returns jobs that it has not begun; this counts as no delivery.
-- KEYS: jobs. ARGV: worker, then entry and deliveries of each job. Returns how many were the worker's.
local nr = 0
for i = 2, #ARGV, 2 do
  local pending = redis.call('XPENDING', KEYS[1], 'workers', ARGV[i], ARGV[i], 1)
  if pending[1] and pending[1][2] == ARGV[1] then
    redis.call('XCLAIM', KEYS[1], 'workers', ARGV[1], 0, ARGV[i], 'IDLE', 864000000, 'RETRYCOUNT',
      tonumber(ARGV[i + 1]) - 1, 'JUSTID')
    nr = nr + 1
  end
end
return nr
