#!/bin/sh
# One would guess that a condition of n8n that converts types refuses a text that is no boolean, as it
# refuses "two" for a number. It takes "no", "não" and "off" for true, because only "false", "0" and
# the empty text are false. And null is less than 3, also without conversion; what is missing is not.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps n8n-workflow@2.41.0
cat >run.cjs <<'JS'
const { executeFilter } = require(
	require.resolve('n8n-workflow').replace(/index\.js$/, 'node-parameters/filter-parameter.js'),
);
console.log('n8n-workflow', require('./node_modules/n8n-workflow/package.json').version);
const holds = (typeValidation, type, operation, leftValue, rightValue) => {
	const filter = {
		options: { caseSensitive: true, leftValue: '', typeValidation, version: 2 },
		conditions: [{ id: '1', leftValue, rightValue, operator: { type, operation } }],
		combinator: 'and',
	};
	try {
		return executeFilter(filter);
	} catch (error) {
		return error.message.split('\n')[0];
	}
};
for (const text of ['no', 'não', 'off', 'false', '0', ''])
	console.log(JSON.stringify(text), 'is true:', holds('loose', 'boolean', 'true', text));
for (const value of ['two', null, undefined])
	for (const types of ['loose', 'strict'])
		console.log(JSON.stringify(value), 'is less than 3,', types, holds(types, 'number', 'lt', value, 3));
JS
node run.cjs | tee output
diff output - <<'EXPECTED'
n8n-workflow 2.41.0
"no" is true: true
"não" is true: true
"off" is true: true
"false" is true: false
"0" is true: false
"" is true: false
"two" is less than 3, loose Conversion error: the string 'two' can't be converted to a number [condition 0, item 0]
"two" is less than 3, strict Wrong type: 'two' is a string but was expecting a number [condition 0, item 0]
null is less than 3, loose true
null is less than 3, strict true
undefined is less than 3, loose false
undefined is less than 3, strict false
EXPECTED
