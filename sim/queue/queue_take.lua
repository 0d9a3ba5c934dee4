-- Gives runs to a worker. Follows queue_bury.lua.
-- Runs that others have left are given out a few at a time and without new ones: a run that ends workers then ends one
-- that holds little else. New runs are spread over the live workers, so that at the end none has many while others have
-- none.
-- KEYS: jobs, runs, dead, results, meta, errors, workers.
-- ARGV: worker, program, want, minimum, claim_ms, tries, maximum bytes of results, cursor ("": only new runs), prefix.
-- Returns 'drain', 'full', or the cursor, entries with their deliveries, and how many of them others had left.
-- luacheck: read globals field bury
-- Answers that came after the last submission had ended are nobody's.
if redis.call('EXISTS', KEYS[4]) == 1 and redis.call('EXISTS', ARGV[9] .. 'submissions') == 0 then
  redis.call('UNLINK', KEYS[4])
  redis.call('HDEL', KEYS[5], 'result_bytes')
end
if redis.call('HGET', KEYS[5], 'drain') then return 'drain' end
if tonumber(redis.call('HGET', KEYS[5], 'result_bytes') or '0') >= tonumber(ARGV[7]) then return 'full' end
local worker, want, least = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
-- Whether somebody else could do runs of the bundle.
local function is_for_others(bundle)
  local hex = string.gsub(bundle, '.', function(c) return string.format('%02x', string.byte(c)) end)
  for _, name in ipairs(redis.call('ZRANGE', KEYS[7], 0, -1)) do
    if name ~= worker and redis.call('HGET', ARGV[9] .. 'worker:' .. name, 'program') == ARGV[2] and
      redis.call('SISMEMBER', ARGV[9] .. 'unable:' .. hex, name) == 0 then return true end
  end
  return false
end
local given, cursor = {}, ARGV[8]
if cursor ~= '' then
  local looks = 0
  repeat
    local found = redis.call('XAUTOCLAIM', KEYS[1], 'workers', worker, ARGV[5], cursor, 'COUNT', least)
    cursor = found[1]
    looks = looks + 1
    for _, entry in ipairs(found[2]) do
      local pending = redis.call('XPENDING', KEYS[1], 'workers', entry[1], entry[1], 1)
      local deliveries = pending[1] and pending[1][4] or 1
      local error = redis.call('HGET', KEYS[6], field(entry[2], 'r')) or ''
      if deliveries > tonumber(ARGV[6]) then
        bury(entry[1], entry[2], deliveries - 1, ARGV[2], worker)
      -- A run that failed here last is for other workers, if there are any.
      elseif string.match(error, '^[^\n]*') == worker and is_for_others(field(entry[2], 'b')) then
        redis.call('XCLAIM', KEYS[1], 'workers', worker, 0, entry[1], 'IDLE', 864000000, 'RETRYCOUNT',
          deliveries - 1, 'JUSTID')
      else
        given[#given + 1] = {entry[1], entry[2], deliveries}
      end
    end
  until cursor == '0-0' or #given >= least or looks * least >= 400
end
local left_by_others = #given
if left_by_others == 0 then
  local waiting = redis.call('XLEN', KEYS[1]) - redis.call('XPENDING', KEYS[1], 'workers')[1]
  local share = math.ceil(waiting / (2 * math.max(1, redis.call('ZCARD', KEYS[7]))))
  want = math.max(least, math.min(want, share))
  local found = redis.call('XREADGROUP', 'GROUP', 'workers', worker, 'COUNT', want, 'STREAMS', KEYS[1], '>')
  if found then
    for _, entry in ipairs(found[1][2]) do given[#given + 1] = {entry[1], entry[2], 1} end
  end
end
return {cursor, given, left_by_others}
