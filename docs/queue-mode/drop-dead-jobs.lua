-- Takes jobs that no worker keeps a lock on off the list of those that are being worked on, and says how many. n8n then sees, at its next look or when its
-- main process starts, that nobody runs their executions, and marks these as crashed, complete. See docs/queue-mode.md.
local dropped = 0
for _, id in ipairs(redis.call('LRANGE', 'bull:jobs:active', 0, -1)) do
	if redis.call('EXISTS', 'bull:jobs:' .. id .. ':lock') == 0 then
		dropped = dropped + redis.call('LREM', 'bull:jobs:active', 1, id)
	end
end
return dropped
