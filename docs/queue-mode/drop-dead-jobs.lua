-- Takes jobs that had no lock for ten minutes, or ARGV[1] seconds, off the list of those under way, and says how many. It notes when it first sees one, so
-- run it again. See docs/queue-mode.md.
local now = tonumber(redis.call('TIME')[1])
local longest = tonumber(ARGV[1] or 600)
local dropped = 0
for _, id in ipairs(redis.call('LRANGE', 'bull:jobs:active', 0, -1)) do
	local since = tonumber(redis.call('HGET', 'drop-dead-jobs', id) or now)
	local isGone = redis.call('EXISTS', 'bull:jobs:' .. id .. ':lock') == 0
	if isGone and now - since < longest then
		redis.call('HSET', 'drop-dead-jobs', id, since)
	else
		redis.call('HDEL', 'drop-dead-jobs', id)
		if isGone then dropped = dropped + redis.call('LREM', 'bull:jobs:active', 1, id) end
	end
end
return dropped
