/** The examples avoid what docs/beside-n8n.md says of n8n's own nodes and functions. */
import { nodeNameToToolName } from 'n8n-workflow';

import { exampleNames, readExample } from '#scripts/n8n/provision.mts';

const nodes = exampleNames().flatMap((example) => readExample(example).nodes);
const CONDITION = '"={{ $json.is }}","rightValue":"","operator":{"type":"boolean"';

test.each([
	['.*', /\.(?:toDateTime|diffTo|diffToNow|removeMarkdown|extractUrl)\(/, '.diffTo($now)'],
	// A row's own id is never empty.
	['.*', /^merge(?!\n.*"fieldsToMatchString":"id")|convertToFile|spreadsheetFile$/, 'merge'],
	['if|filter|switch', /"operation":"[lg]te?"/, '"operation":"lt"'],
	// The nodes of this package give `approved` and `fromMe` as true or false.
	['if|filter|switch', /\{ [^ "]+(?<!approved|fromMe) \}\}",[^}]+"type":"boolean"/, CONDITION],
	['set', /"=\{\{ (?:\$now|\$today|new Date\([^()]*\)|\S+At) \}\}"/, '"={{ $json.writtenAt }}"'],
	// By day, no change of clocks meets what runs every five minutes.
	[
		'scheduleTrigger',
		/AtMinute|"triggerAtHour":[0-4]\b|cron(?!Expression","expression":"\*\/5 9-19 \* \* \*")/,
		'"triggerAtMinute":30',
	],
	// Two texts of a data table, which each row has.
	['removeDuplicates', /"fieldsToCompare":"(?!channelId, customer")/, '"fieldsToCompare":"name"'],
	['httpRequest', /"sendQuery":true|form-urlencoded/, '"sendQuery":true'],
])('no node %s has %p', (types, pattern, sample) => {
	const read = nodes.filter(({ type }) => RegExp(`\\.(?:${types})$`).test(type));
	expect(read.length).toBeGreaterThan(0);
	expect(sample).toMatch(pattern);
	for (const { type, parameters } of read)
		expect(`${type.split('.').at(-1)}\n${JSON.stringify(parameters)}`).not.toMatch(pattern);
});

test('no two tools have one name for a model, as in Cyrillic', () => {
	const tools = nodes.filter(({ type }) => type.endsWith('Tool')).map(({ name }) => name);
	expect(new Set(tools.map(nodeNameToToolName)).size).toBe(tools.length);
	expect(tools.length).toBeGreaterThan(2);
	expect(nodeNameToToolName('Найти заказ')).toBe(nodeNameToToolName('Вернуть деньги'));
});
