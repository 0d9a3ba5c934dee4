/* Scripts of who operates a queue. What adds comes before what removes, as in queue_scripts.c. */
#include "sim/queue/queue_internal.h"

/* Dead letters go: back to the stream of their program, or, without it, for good, which forgets their runs, so that
 * they can be asked for anew. A run that has an entry by now, or another letter, gets no second one.
 * KEYS: dead, runs, then for those that go back: programs, jobs. ARGV: program ("": none), then letters. Returns how
 * many went back, or for good. */
const struct redis_script queue_script_retry = {
	"retry", "local nr = 0\n"
		 "for i = 2, #ARGV do\n"
		 "  local entry = redis.call('XRANGE', KEYS[1], ARGV[i], ARGV[i])[1]\n"
		 "  if entry then\n"
		 "    local row = {}\n"
		 "    for f = 1, #entry[2], 2 do row[entry[2][f]] = entry[2][f + 1] end\n"
		 "    local run = row['r'] or ''\n"
		 "    local state = redis.call('HGET', KEYS[2], run)\n"
		 "    local mine = state == 'd' .. ARGV[i]\n"
		 "    if #KEYS < 4 then\n"
		 "      if mine then redis.call('HDEL', KEYS[2], run) end\n"
		 "      nr = nr + 1\n"
		 "    elseif mine or not state then\n"
		 "      redis.call('XADD', KEYS[4], '*', 'b', row['b'], 'p', row['p'], 'r', run)\n"
		 "      redis.call('HSET', KEYS[2], run, 'q' .. string.sub(row['b'] or '', 1, 8))\n"
		 "      redis.call('SADD', KEYS[3], ARGV[1])\n"
		 "      nr = nr + 1\n"
		 "    end\n"
		 "    redis.call('XDEL', KEYS[1], ARGV[i])\n"
		 "  end\n"
		 "end\n"
		 "return nr\n"};

/* Runs go before anybody has done them, whoever has them now.
 * KEYS: jobs, runs. ARGV: entry and run, in turn. Returns how many there were. */
const struct redis_script queue_script_unqueue = {
	"unqueue", "local nr = 0\n"
		   "for i = 1, #ARGV, 2 do\n"
		   "  redis.call('XACK', KEYS[1], 'workers', ARGV[i])\n"
		   "  if redis.call('XDEL', KEYS[1], ARGV[i]) == 1 then\n"
		   "    local state = redis.call('HGET', KEYS[2], ARGV[i + 1])\n"
		   "    if state and string.sub(state, 1, 1) == 'q' then redis.call('HDEL', KEYS[2], ARGV[i + 1]) end\n"
		   "    nr = nr + 1\n"
		   "  end\n"
		   "end\n"
		   "return nr\n"};
