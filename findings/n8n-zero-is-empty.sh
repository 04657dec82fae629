#!/bin/sh
# One would guess that isEmpty() and compact() of n8n's expressions agree on what is empty. For
# isEmpty(), 0 and false are, so a stock of 0 takes the way of a missing one. compact() removes the
# empty text and keeps 0 and false.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps n8n-workflow@2.41.0
cat >run.cjs <<'JS'
const path = require('node:path');
const main = require.resolve('n8n-workflow');
const { extend } = require(path.join(path.dirname(main), 'extensions', 'index.js'));
console.log('n8n-workflow', require('./node_modules/n8n-workflow/package.json').version);
for (const value of [0, 1, '', false])
	console.log(
		JSON.stringify(value),
		'is empty:',
		extend(value, 'isEmpty', []),
		'and kept by compact():',
		extend([value], 'compact', []).length === 1,
	);
JS
node run.cjs | tee output
diff output - <<'EXPECTED'
n8n-workflow 2.41.0
0 is empty: true and kept by compact(): true
1 is empty: false and kept by compact(): true
"" is empty: true and kept by compact(): false
false is empty: true and kept by compact(): true
EXPECTED
