#!/bin/sh
# One would guess that a number leaves in a CSV file as it is. SheetJS writes what a cell would show,
# so numbers of 12 digits and more keep four of them, and a phone number is lost. Eleven digits
# stay whole, as do texts of any length, and numbers with the option rawNumbers.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts xlsx@0.18.5 @e965/xlsx@0.20.3
cat >run.cjs <<'JS'
for (const name of ['xlsx', '@e965/xlsx']) {
	const { utils } = require(name);
	console.log(name, require(`./node_modules/${name}/package.json`).version);
	const sheet = utils.aoa_to_sheet([[55119999900, 551199999000, 5511999990000, '5511999990000']]);
	console.log(utils.sheet_to_csv(sheet));
	console.log(utils.sheet_to_csv(sheet, { rawNumbers: true }));
}
JS
node run.cjs | tee output
diff output - <<'EXPECTED'
xlsx 0.18.5
55119999900,5.512E+11,5.512E+12,5511999990000
55119999900,551199999000,5511999990000,5511999990000
@e965/xlsx 0.20.3
55119999900,5.512E+11,5.512E+12,5511999990000
55119999900,551199999000,5511999990000,5511999990000
EXPECTED
