-- Renews a worker's claims on what is still its own: others may have taken some while the worker slept.
-- Workers that have been silent for long no longer count as live.
-- KEYS: jobs, workers, worker:<name>. ARGV: worker, claim_ms, number of fields and values, these, then entries.
-- Returns the numbers (from 0) of entries that are lost.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local claim, nr_vitals = tonumber(ARGV[2]), tonumber(ARGV[3])
-- When the server's clock was put back, earlier signs of life seem to lie in the future, and runs of dead workers would stay
-- claimed until then. All claims then begin now.
local newest = redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')
if newest[2] and tonumber(newest[2]) > now + claim then
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], string.format('(%.0f', now), '+inf')) do
    redis.call('ZADD', KEYS[2], string.format('%.0f', now), name)
  end
  local prefix = string.sub(KEYS[2], 1, -#'workers' - 1)
  for _, program in ipairs(redis.call('SMEMBERS', prefix .. 'programs')) do
    local jobs, from = prefix .. 'jobs:' .. program, '-'
    repeat
      local pending = redis.pcall('XPENDING', jobs, 'workers', from, '+', 1000)
      for _, row in ipairs(pending) do
        if row[3] == 0 then redis.call('XCLAIM', jobs, 'workers', row[2], 0, row[1], 'JUSTID') end
      end
      if #pending > 0 then from = '(' .. pending[#pending][1] end
    until #pending < 1000
  end
end
redis.call('ZADD', KEYS[2], string.format('%.0f', now), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now - 4 * claim))
for i = 4, 3 + nr_vitals, 2 do redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', KEYS[3], 10 * claim)
local first, lost, mine = 4 + nr_vitals, {}, {}
if first > #ARGV then return lost end
local from = '-'
repeat
  local pending = redis.call('XPENDING', KEYS[1], 'workers', from, '+', 1000, ARGV[1])
  for _, row in ipairs(pending) do mine[row[1]] = true end
  if #pending > 0 then from = '(' .. pending[#pending][1] end
until #pending < 1000
local ids = {}
local function renew()
  if #ids > 0 then
    ids[#ids + 1] = 'JUSTID'
    redis.call('XCLAIM', KEYS[1], 'workers', ARGV[1], 0, unpack(ids))
    ids = {}
  end
end
for i = first, #ARGV do
  if mine[ARGV[i]] then ids[#ids + 1] = ARGV[i] else lost[#lost + 1] = i - first end
  if #ids >= 500 then renew() end
end
renew()
return lost
