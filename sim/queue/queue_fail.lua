-- A delivery has failed. The entry stays where it is, as idle as if it had been left long ago. Follows queue_bury.lua.
-- KEYS: as in queue_take.lua. ARGV: worker, program, tries, entry, why.
-- luacheck: read globals field bury
local pending = redis.call('XPENDING', KEYS[1], 'workers', ARGV[4], ARGV[4], 1)
if not pending[1] or pending[1][2] ~= ARGV[1] then return 0 end
local entry = redis.call('XRANGE', KEYS[1], ARGV[4], ARGV[4])[1]
if not entry then return 0 end
redis.call('HSET', KEYS[6], field(entry[2], 'r'), ARGV[1] .. '\n' .. ARGV[5])
if pending[1][4] >= tonumber(ARGV[3]) then
  bury(ARGV[4], entry[2], pending[1][4], ARGV[2], ARGV[1])
else
  redis.call('XCLAIM', KEYS[1], 'workers', ARGV[1], 0, ARGV[4], 'IDLE', 864000000, 'JUSTID')
end
return 1
