-- Removes results that no submission waits for, and forgets their runs. A submission waits for an entry that it has not
-- acknowledged if the entry is of one of its bundles, or if it shares runs with others.
-- KEYS: results, runs, meta, dead.
-- ARGV: prefix, submission, where to begin to look ("": only at what is acknowledged), then acknowledged entries.
-- Returns where to go on, "" at the end.
if redis.call('EXISTS', KEYS[1]) == 0 then return '' end
for i = 4, #ARGV do redis.call('XACK', KEYS[1], ARGV[2], ARGV[i]) end
local function parts(id)
  local ms, seq = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(seq)
end
local waiting = {}
for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  local row = {}
  for i = 1, #group, 2 do row[group[i]] = group[i + 1] end
  local ms, seq = parts(row['last-delivered-id'])
  local w = {name = row['name'], ms = ms, seq = seq, pending = row['pending'] > 0}
  local known = redis.call('HMGET', ARGV[1] .. 'submission:' .. row['name'], 'shares', 'files')
  w.shares, w.files = known[1], known[2] or ''
  waiting[#waiting + 1] = w
end
local function is_waited_for(id, bundle)
  local ms, seq = parts(id)
  for _, w in ipairs(waiting) do
    if w.shares or string.find(w.files, bundle, 1, true) then
      if ms > w.ms or (ms == w.ms and seq > w.seq) then return true end
      if w.pending and #redis.call('XPENDING', KEYS[1], w.name, id, id, 1) > 0 then return true end
    end
  end
  return false
end
local function settle(entry)
  local row = {}
  for i = 1, #entry[2], 2 do row[entry[2][i]] = entry[2][i + 1] end
  if is_waited_for(entry[1], row['b'] or '') then return end
  local runs = row['r'] or ''
  for i = 1, row['x'] and 0 or #runs, 32 do
    local run = string.sub(runs, i, i + 31)
    local state = redis.call('HGET', KEYS[2], run)
    if state and string.sub(state, 1, 1) == 'd' then redis.call('XDEL', KEYS[4], string.sub(state, 2)) end
    redis.call('HDEL', KEYS[2], run)
  end
  redis.call('XDEL', KEYS[1], entry[1])
  if #(row['z'] or '') > 0 then redis.call('HINCRBY', KEYS[3], 'result_bytes', -#row['z']) end
end
local last = ''
if ARGV[3] ~= '' then
  local entries = redis.call('XRANGE', KEYS[1], ARGV[3], '+', 'COUNT', 16)
  for _, entry in ipairs(entries) do settle(entry) end
  if #entries == 16 then last = '(' .. entries[16][1] end
end
for i = 4, #ARGV do
  local entry = redis.call('XRANGE', KEYS[1], ARGV[i], ARGV[i])[1]
  if entry then settle(entry) end
end
if redis.call('XLEN', KEYS[1]) == 0 then redis.call('HDEL', KEYS[3], 'result_bytes') end
return last
