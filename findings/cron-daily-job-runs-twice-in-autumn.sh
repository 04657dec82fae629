#!/bin/sh
# One would guess that a job at 02:00 each day runs once a day. On the day when New York's clocks go
# back from 02:00 to 01:00, cron 4.4.0 runs it twice: at 01:00, which is not its time, and at 02:00.
# A job at 03:00 runs once, and with cron 3.1.7 both do.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts cron@4.4.0 cron-3@npm:cron@3.1.7
cat >run.cjs <<'JS'
const zone = 'America/New_York';
for (const name of ['cron', 'cron-3']) {
	console.log('cron', require(`./node_modules/${name}/package.json`).version);
	const { CronTime } = require(name);
	for (const times of ['0 0 2 * * *', '0 0 3 * * *']) {
		let at = new Date('2026-10-31T12:00:00Z');
		const runs = [1, 2, 3].map(() => {
			at = new CronTime(times, zone).getNextDateFrom(at, zone);
			return at.toFormat('MM-dd HH:mm ZZ');
		});
		console.log(times, '=>', runs.join(', '));
	}
}
JS
node run.cjs | tee output
diff output - <<'EXPECTED'
cron 4.4.0
0 0 2 * * * => 11-01 01:00 -05:00, 11-01 02:00 -05:00, 11-02 02:00 -05:00
0 0 3 * * * => 11-01 03:00 -05:00, 11-02 03:00 -05:00, 11-03 03:00 -05:00
cron 3.1.7
0 0 2 * * * => 11-01 02:00 -05:00, 11-02 02:00 -05:00, 11-03 02:00 -05:00
0 0 3 * * * => 11-01 03:00 -05:00, 11-02 03:00 -05:00, 11-03 03:00 -05:00
EXPECTED
