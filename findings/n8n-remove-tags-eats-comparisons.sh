#!/bin/sh
# One would guess that removeTags() of n8n's expressions takes away tags of HTML. It takes away all
# between a "<" and the next ">", so that a sentence with two comparisons loses the words between them.
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
for (const text of ['<b>Price</b>', 'Children < 6 free, groups > 7 half'])
	console.log(JSON.stringify(text), '=>', JSON.stringify(extend(text, 'removeTags', [])));
JS
node run.cjs | tee output
diff output - <<'EXPECTED'
n8n-workflow 2.41.0
"<b>Price</b>" => "Price"
"Children < 6 free, groups > 7 half" => "Children  7 half"
EXPECTED
