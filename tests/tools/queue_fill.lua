-- Fills a queue as the program would, for tests: redis-cli --eval queue_fill.lua , QUEUE PROGRAM
-- Eight runs of the program, two of which worker w1 has, and one of another; three dead letters; two submissions, with three
-- packets of results; a worker that lives, has been idle for a day and did five runs a second before, and one that is lost.
local program = ARGV[2]
local function key(name) return 'sahm:{' .. ARGV[1] .. '}:' .. name end
local function hash(letter) return string.rep(letter, 32) end
redis.call('HSET', key('meta'), 'format', '1', 'claim_ms', '3600000', 'result_bytes', '2500000')
for _, p in ipairs({program, '0.0.1-other'}) do
  redis.call('SADD', key('programs'), p)
  redis.call('XGROUP', 'CREATE', key('jobs:' .. p), 'workers', '0', 'MKSTREAM')
end
local function run(p, bundle, position)
  local r = string.format('%032d', position)
  redis.call('XADD', key('jobs:' .. p), '*', 'b', hash(bundle), 'p', position, 'r', r)
  redis.call('HSET', key('runs'), r, 'q')
end
for i = 1, 5 do run(program, 'A', i) end
for i = 6, 8 do run(program, 'B', i) end
run('0.0.1-other', 'C', 9)
redis.call('XREADGROUP', 'GROUP', 'workers', 'w1', 'COUNT', '2', 'STREAMS', key('jobs:' .. program), '>')
local function submission(id, name, bundle, submitted)
  redis.call('SADD', key('submissions'), id)
  redis.call('HSET', key('submission:' .. id), 'program', program, 'name', name, 'host', 'desk', 'submitted', submitted, 'runs', 7,
    'bundle', hash(bundle), 'files', hash(bundle))
  redis.call('SET', key('file:' .. string.rep(string.format('%02x', string.byte(bundle)), 32)), 'text')
  redis.call('XGROUP', 'CREATE', key('results'), id, '0', 'MKSTREAM')
end
submission('aa01', 'first \27[31msweep', 'A', '1')
submission('ab02', 'second', 'B', '2')
for _ = 1, 3 do redis.call('XADD', key('results'), '*', 'r', hash('r'), 'z', 'zzz', 'w', 'w1') end
redis.call('XREADGROUP', 'GROUP', 'aa01', 'collector', 'COUNT', '2', 'STREAMS', key('results'), '>')
local function letter(bundle, position, why, p)
  local r = string.format('%032d', position)
  local id = redis.call('XADD', key('dead'), '*', 'b', hash(bundle), 'p', position, 'r', r, 'g', p, 'n', '3', 'e', why, 'w', 'w1')
  redis.call('HSET', key('runs'), r, 'd' .. id)
end
letter('A', 20, 'cannot read a \27]0;trace', program)
letter('B', 21, 'its workers were lost', program)
letter('C', 22, 'something else', '0.0.1-other')
local now = redis.call('TIME')[1] * 1000
redis.call('ZADD', key('workers'), string.format('%.0f', now), 'w1')
redis.call('ZADD', key('workers'), string.format('%.0f', now - 7300000), 'w2')
redis.call('HSET', key('worker:w1'), 'host', 'node1', 'pid', '77', 'processes', '4', 'started', string.format('%.0f', now - 86400000),
  'done', '5000', 'failed', '2', 'busy_ms', '4000000', 'held', '2')
return 1
