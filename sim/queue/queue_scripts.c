/* What has to happen at once on the server. Each script is carried out whole or, where the server has no memory, not at
 * all: what adds comes before what removes. */
#include "sim/queue/queue_internal.h"

/* A run that has no entry gets one. A dead letter gets another life when somebody asks for it anew. A submission that
 * asks for runs which another bundle has brought has to see results of those, too: it `shares`. KEYS: runs, jobs, dead,
 * submission:<id>, submissions. ARGV: bundle, force, prefix, then hash and position of each run. */
const struct redis_script queue_script_enqueue = {
	"enqueue", "local added, mine = 0, 'q' .. string.sub(ARGV[1], 1, 8)\n"
		   /* Who has the bundle of a letter waits for what becomes of its run now. */
		   "local function share(fields)\n"
		   "  local bundle = ''\n"
		   "  for i = 1, #fields, 2 do\n"
		   "    if fields[i] == 'b' then bundle = fields[i + 1] end\n"
		   "  end\n"
		   "  if bundle == ARGV[1] or #bundle ~= 32 then return end\n"
		   "  for _, id in ipairs(redis.call('SMEMBERS', KEYS[5])) do\n"
		   "    local key = ARGV[3] .. 'submission:' .. id\n"
		   "    if string.find(redis.call('HGET', key, 'files') or '', bundle, 1, true) then\n"
		   "      redis.call('HSET', key, 'shares', '1')\n"
		   "    end\n"
		   "  end\n"
		   "end\n"
		   "for i = 4, #ARGV, 2 do\n"
		   "  local new = redis.call('HSETNX', KEYS[1], ARGV[i], mine) == 1\n"
		   "  if not new then\n"
		   "    local state = redis.call('HGET', KEYS[1], ARGV[i])\n"
		   "    if string.sub(state, 1, 1) == 'd' then\n"
		   "      local letter = redis.call('XRANGE', KEYS[3], string.sub(state, 2), string.sub(state, 2))[1]\n"
		   "      if letter then share(letter[2]) end\n"
		   "      redis.call('HSET', KEYS[1], ARGV[i], mine)\n"
		   "      redis.call('XDEL', KEYS[3], string.sub(state, 2))\n"
		   "      new = true\n"
		   "    elseif state ~= mine then\n"
		   "      redis.call('HSET', KEYS[4], 'shares', '1')\n"
		   "    end\n"
		   "  end\n"
		   "  if new or ARGV[2] == '1' then\n"
		   "    redis.call('XADD', KEYS[2], '*', 'b', ARGV[1], 'p', ARGV[i + 1], 'r', ARGV[i])\n"
		   "    added = added + 1\n"
		   "  end\n"
		   "end\n"
		   "return added\n"};

/* A run is given up: a dead letter, and a result that says so. */
#define BURY                                                                                                           \
	"local function field(fields, name)\n"                                                                         \
	"  for i = 1, #fields, 2 do\n"                                                                                 \
	"    if fields[i] == name then return fields[i + 1] end\n"                                                     \
	"  end\n"                                                                                                      \
	"  return ''\n"                                                                                                \
	"end\n"                                                                                                        \
	"local function bury(id, fields, tries, program, worker)\n"                                                    \
	"  local run = field(fields, 'r')\n"                                                                           \
	"  local why = redis.call('HGET', KEYS[6], run) or '\\nits workers were lost'\n"                               \
	"  why = string.match(why, '\\n(.*)$') or why\n"                                                               \
	"  local letter = redis.call('XADD', KEYS[3], '*', 'b', field(fields, 'b'), 'p', field(fields, 'p'), 'r', "    \
	"run,\n"                                                                                                       \
	"    'g', program, 'n', tries, 'e', why, 'w', worker)\n"                                                       \
	"  redis.call('XADD', KEYS[4], '*', 'b', field(fields, 'b'), 'r', run, 'x', why, 'n', tries, 'w', worker)\n"   \
	"  redis.call('HSET', KEYS[2], run, 'd' .. letter)\n"                                                          \
	"  redis.call('HDEL', KEYS[6], run)\n"                                                                         \
	"  redis.call('XACK', KEYS[1], 'workers', id)\n"                                                               \
	"  redis.call('XDEL', KEYS[1], id)\n"                                                                          \
	"end\n"

/* What others have left is given out alone and few at a time: if it is a run that ends workers, it ends one with little
 * else in hand. New runs are spread over the workers that live, so that at the end none has much while others have
 * nothing.
 * KEYS: jobs, runs, dead, results, meta, errors, workers. ARGV: worker, program, want, least, claim_ms, tries, most
 * bytes of results, cursor ("": new runs alone), prefix. Returns 'drain', 'full', or the cursor, entries with their
 * deliveries, and how many of them others had left. */
const struct redis_script queue_script_take = {
	"take", BURY
	/* Answers that came after the last submission had ended are nobody's. */
	"if redis.call('EXISTS', KEYS[4]) == 1 and redis.call('EXISTS', ARGV[9] .. 'submissions') == 0 then\n"
	"  redis.call('UNLINK', KEYS[4])\n"
	"  redis.call('HDEL', KEYS[5], 'result_bytes')\n"
	"end\n"
	"if redis.call('HGET', KEYS[5], 'drain') then return 'drain' end\n"
	"if tonumber(redis.call('HGET', KEYS[5], 'result_bytes') or '0') >= tonumber(ARGV[7]) then return 'full' end\n"
	"local worker, want, least = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])\n"
	/* Whether somebody else could do runs of the bundle. */
	"local function is_for_others(bundle)\n"
	"  local hex = string.gsub(bundle, '.', function(c) return string.format('%02x', string.byte(c)) end)\n"
	"  for _, name in ipairs(redis.call('ZRANGE', KEYS[7], 0, -1)) do\n"
	"    if name ~= worker and redis.call('HGET', ARGV[9] .. 'worker:' .. name, 'program') == ARGV[2] and\n"
	"      redis.call('SISMEMBER', ARGV[9] .. 'unable:' .. hex, name) == 0 then return true end\n"
	"  end\n"
	"  return false\n"
	"end\n"
	"local given, cursor = {}, ARGV[8]\n"
	"if cursor ~= '' then\n"
	"  local looks = 0\n"
	"  repeat\n"
	"    local found = redis.call('XAUTOCLAIM', KEYS[1], 'workers', worker, ARGV[5], cursor, 'COUNT', least)\n"
	"    cursor = found[1]\n"
	"    looks = looks + 1\n"
	"    for _, entry in ipairs(found[2]) do\n"
	"      local pending = redis.call('XPENDING', KEYS[1], 'workers', entry[1], entry[1], 1)\n"
	"      local deliveries = pending[1] and pending[1][4] or 1\n"
	"      local error = redis.call('HGET', KEYS[6], field(entry[2], 'r')) or ''\n"
	"      if deliveries > tonumber(ARGV[6]) then\n"
	"        bury(entry[1], entry[2], deliveries - 1, ARGV[2], worker)\n"
	/* What failed here last is for others, if there are any. */
	"      elseif string.match(error, '^[^\\n]*') == worker and is_for_others(field(entry[2], 'b')) then\n"
	"        redis.call('XCLAIM', KEYS[1], 'workers', worker, 0, entry[1], 'IDLE', 864000000, 'RETRYCOUNT',\n"
	"          deliveries - 1, 'JUSTID')\n"
	"      else\n"
	"        given[#given + 1] = {entry[1], entry[2], deliveries}\n"
	"      end\n"
	"    end\n"
	"  until cursor == '0-0' or #given >= least or looks * least >= 400\n"
	"end\n"
	"local left_by_others = #given\n"
	"if left_by_others == 0 then\n"
	"  local waiting = redis.call('XLEN', KEYS[1]) - redis.call('XPENDING', KEYS[1], 'workers')[1]\n"
	"  local share = math.ceil(waiting / (2 * math.max(1, redis.call('ZCARD', KEYS[7]))))\n"
	"  want = math.max(least, math.min(want, share))\n"
	"  local found = redis.call('XREADGROUP', 'GROUP', 'workers', worker, 'COUNT', want, 'STREAMS', KEYS[1], '>')\n"
	"  if found then\n"
	"    for _, entry in ipairs(found[1][2]) do given[#given + 1] = {entry[1], entry[2], 1} end\n"
	"  end\n"
	"end\n"
	"return {cursor, given, left_by_others}\n"};

/* A delivery has failed. The entry stays where it is, and looks as if it had been left long ago.
 * KEYS: as above. ARGV: worker, program, tries, entry, why. */
const struct redis_script queue_script_fail = {
	"fail", BURY "local pending = redis.call('XPENDING', KEYS[1], 'workers', ARGV[4], ARGV[4], 1)\n"
		     "if not pending[1] or pending[1][2] ~= ARGV[1] then return 0 end\n"
		     "local entry = redis.call('XRANGE', KEYS[1], ARGV[4], ARGV[4])[1]\n"
		     "if not entry then return 0 end\n"
		     "redis.call('HSET', KEYS[6], field(entry[2], 'r'), ARGV[1] .. '\\n' .. ARGV[5])\n"
		     "if pending[1][4] >= tonumber(ARGV[3]) then\n"
		     "  bury(ARGV[4], entry[2], pending[1][4], ARGV[2], ARGV[1])\n"
		     "else\n"
		     "  redis.call('XCLAIM', KEYS[1], 'workers', ARGV[1], 0, ARGV[4], 'IDLE', 864000000, 'JUSTID')\n"
		     "end\n"
		     "return 1\n"};

/* KEYS: jobs. ARGV: worker, then entry and deliveries of each job. */
const struct redis_script queue_script_hand_back = {
	"hand_back",
	"local nr = 0\n"
	"for i = 2, #ARGV, 2 do\n"
	"  local pending = redis.call('XPENDING', KEYS[1], 'workers', ARGV[i], ARGV[i], 1)\n"
	"  if pending[1] and pending[1][2] == ARGV[1] then\n"
	"    redis.call('XCLAIM', KEYS[1], 'workers', ARGV[1], 0, ARGV[i], 'IDLE', 864000000, 'RETRYCOUNT',\n"
	"      tonumber(ARGV[i + 1]) - 1, 'JUSTID')\n"
	"    nr = nr + 1\n"
	"  end\n"
	"end\n"
	"return nr\n"};

/* Only what is still the worker's is renewed: it may have been asleep while others took it. Workers that have not been
 * heard of for long are not among those that live any more.
 * KEYS: jobs, workers, worker:<name>. ARGV: worker, claim_ms, number of fields and values, these, then entries. Returns
 * the numbers (from 0) of entries that are lost. */
const struct redis_script queue_script_beat = {
	"beat", "local time = redis.call('TIME')\n"
		"local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)\n"
		"local claim, nr_vitals = tonumber(ARGV[2]), tonumber(ARGV[3])\n"
		"redis.call('ZADD', KEYS[2], string.format('%.0f', now), ARGV[1])\n"
		"redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now - 4 * claim))\n"
		"for i = 4, 3 + nr_vitals, 2 do redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1]) end\n"
		"redis.call('PEXPIRE', KEYS[3], 10 * claim)\n"
		"local first, lost, mine = 4 + nr_vitals, {}, {}\n"
		"if first > #ARGV then return lost end\n"
		"local from = '-'\n"
		"repeat\n"
		"  local pending = redis.call('XPENDING', KEYS[1], 'workers', from, '+', 1000, ARGV[1])\n"
		"  for _, row in ipairs(pending) do mine[row[1]] = true end\n"
		"  if #pending > 0 then from = '(' .. pending[#pending][1] end\n"
		"until #pending < 1000\n"
		"local ids = {}\n"
		"local function renew()\n"
		"  if #ids > 0 then\n"
		"    ids[#ids + 1] = 'JUSTID'\n"
		"    redis.call('XCLAIM', KEYS[1], 'workers', ARGV[1], 0, unpack(ids))\n"
		"    ids = {}\n"
		"  end\n"
		"end\n"
		"for i = first, #ARGV do\n"
		"  if mine[ARGV[i]] then ids[#ids + 1] = ARGV[i] else lost[#lost + 1] = i - first end\n"
		"  if #ids >= 500 then renew() end\n"
		"end\n"
		"renew()\n"
		"return lost\n"};

/* KEYS: unable:<bundle>, workers. ARGV: worker, program, prefix. Returns how many others may be able. */
const struct redis_script queue_script_unable = {
	"unable", "redis.call('SADD', KEYS[1], ARGV[1])\n"
		  "redis.call('EXPIRE', KEYS[1], 3600)\n"
		  "local able = 0\n"
		  "for _, name in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do\n"
		  "  local program = redis.call('HGET', ARGV[3] .. 'worker:' .. name, 'program')\n"
		  "  if program == ARGV[2] and redis.call('SISMEMBER', KEYS[1], name) == 0 then able = able + 1 end\n"
		  "end\n"
		  "return able\n"};

/* Results that nobody waits for any more go, and their runs are forgotten. A submission waits for an entry that it has
 * not acknowledged if that is of one of its bundles, or if it shares runs with others. KEYS: results, runs, meta, dead.
 * ARGV: prefix, submission, where to begin to look ("": at the entries that are acknowledged alone), then these.
 * Returns where to go on, "" at the end. */
const struct redis_script queue_script_settle = {
	"settle",
	"if redis.call('EXISTS', KEYS[1]) == 0 then return '' end\n"
	"for i = 4, #ARGV do redis.call('XACK', KEYS[1], ARGV[2], ARGV[i]) end\n"
	"local function parts(id)\n"
	"  local ms, seq = string.match(id, '^(%d+)-(%d+)$')\n"
	"  return tonumber(ms), tonumber(seq)\n"
	"end\n"
	"local waiting = {}\n"
	"for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do\n"
	"  local row = {}\n"
	"  for i = 1, #group, 2 do row[group[i]] = group[i + 1] end\n"
	"  local ms, seq = parts(row['last-delivered-id'])\n"
	"  local w = {name = row['name'], ms = ms, seq = seq, pending = row['pending'] > 0}\n"
	"  local known = redis.call('HMGET', ARGV[1] .. 'submission:' .. row['name'], 'shares', 'files')\n"
	"  w.shares, w.files = known[1], known[2] or ''\n"
	"  waiting[#waiting + 1] = w\n"
	"end\n"
	"local function is_waited_for(id, bundle)\n"
	"  local ms, seq = parts(id)\n"
	"  for _, w in ipairs(waiting) do\n"
	"    if w.shares or string.find(w.files, bundle, 1, true) then\n"
	"      if ms > w.ms or (ms == w.ms and seq > w.seq) then return true end\n"
	"      if w.pending and #redis.call('XPENDING', KEYS[1], w.name, id, id, 1) > 0 then return true end\n"
	"    end\n"
	"  end\n"
	"  return false\n"
	"end\n"
	"local function settle(entry)\n"
	"  local row = {}\n"
	"  for i = 1, #entry[2], 2 do row[entry[2][i]] = entry[2][i + 1] end\n"
	"  if is_waited_for(entry[1], row['b'] or '') then return end\n"
	"  local runs = row['r'] or ''\n"
	"  for i = 1, row['x'] and 0 or #runs, 32 do\n"
	"    local run = string.sub(runs, i, i + 31)\n"
	"    local state = redis.call('HGET', KEYS[2], run)\n"
	"    if state and string.sub(state, 1, 1) == 'd' then redis.call('XDEL', KEYS[4], string.sub(state, 2)) end\n"
	"    redis.call('HDEL', KEYS[2], run)\n"
	"  end\n"
	"  redis.call('XDEL', KEYS[1], entry[1])\n"
	"  if #(row['z'] or '') > 0 then redis.call('HINCRBY', KEYS[3], 'result_bytes', -#row['z']) end\n"
	"end\n"
	"local last = ''\n"
	"if ARGV[3] ~= '' then\n"
	"  local entries = redis.call('XRANGE', KEYS[1], ARGV[3], '+', 'COUNT', 16)\n"
	"  for _, entry in ipairs(entries) do settle(entry) end\n"
	"  if #entries == 16 then last = '(' .. entries[16][1] end\n"
	"end\n"
	"for i = 4, #ARGV do\n"
	"  local entry = redis.call('XRANGE', KEYS[1], ARGV[i], ARGV[i])[1]\n"
	"  if entry then settle(entry) end\n"
	"end\n"
	"if redis.call('XLEN', KEYS[1]) == 0 then redis.call('HDEL', KEYS[3], 'result_bytes') end\n"
	"return last\n"};

/* KEYS: submissions, results, submission:<id>, runs, errors, dead, programs, meta. ARGV: prefix, id. */
const struct redis_script queue_script_forget = {
	"forget",
	"local function files_of(key)\n"
	"  local files, found = redis.call('HGET', key, 'files') or '', {}\n"
	"  for i = 1, #files, 32 do found[#found + 1] = string.sub(files, i, i + 31) end\n"
	"  return found\n"
	"end\n"
	"redis.pcall('XGROUP', 'DESTROY', KEYS[2], ARGV[2])\n"
	"redis.call('SREM', KEYS[1], ARGV[2])\n"
	"local used = {}\n"
	"for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do\n"
	"  for _, file in ipairs(files_of(ARGV[1] .. 'submission:' .. id)) do used[file] = true end\n"
	"end\n"
	"for _, file in ipairs(files_of(KEYS[3])) do\n"
	"  if not used[file] then\n"
	"    local hex = string.gsub(file, '.', function(c) return string.format('%02x', string.byte(c)) end)\n"
	"    redis.call('UNLINK', ARGV[1] .. 'file:' .. hex)\n"
	"  end\n"
	"end\n"
	"redis.call('DEL', KEYS[3])\n"
	"if redis.call('SCARD', KEYS[1]) == 0 then\n"
	"  for _, program in ipairs(redis.call('SMEMBERS', KEYS[7])) do\n"
	"    redis.call('UNLINK', ARGV[1] .. 'jobs:' .. program)\n"
	"  end\n"
	"  redis.call('UNLINK', KEYS[2], KEYS[4], KEYS[5], KEYS[6], KEYS[7])\n"
	"  redis.call('HDEL', KEYS[8], 'result_bytes')\n"
	"end\n"
	"return 1\n"};
