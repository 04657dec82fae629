/**
 * What n8n's own nodes and functions do, as docs/beside-n8n.md says. Once n8n mends one of them,
 * its test fails, and the page changes.
 */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { installHost } from '#scripts/n8n/host.mts';
import { Host, startNode } from './harness/host.mts';

interface Cron {
	getNextDateFrom(from: Date, zone: string): number;
}

const host = new Host();
/** Responds with the address of the request. */
const echo = createServer(({ url }, response) =>
	response.setHeader('content-type', 'application/json').end(JSON.stringify({ c: url })),
);
beforeAll((done) => void echo.listen(0, '127.0.0.1', done));
afterAll(async () => {
	echo.close();
	await host.cleanUp();
});

const set = (code: string): INodeParameters => ({
	assignments: { assignments: [{ id: 'c', name: 'c', type: 'string', value: `={{ ${code} }}` }] },
});
const where = (operator: INodeParameters, rightValue: number | string): INodeParameters => ({
	conditions: {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
		conditions: [{ id: 'c', leftValue: '={{ $json.c }}', rightValue, operator }],
		combinator: 'and',
	},
});
const isTrue = where({ type: 'boolean', operation: 'true', singleValue: true }, '');
const below3 = where({ type: 'number', operation: 'lt' }, 3);
const once = { compare: 'selectedFields', fieldsToCompare: 'c' };
const joined = { mode: 'combine', combineBy: 'combineByFields', fieldsToMatchString: 'c' };
const query = (options: INodeParameters = {}): INodeParameters => ({
	...{ url: '=http://127.0.0.1:{{ $json.port }}/', sendQuery: true, options },
	queryParameters: { parameters: [{ name: 'id', value: '={{ [1, 2] }}' }] },
});

test.each<[string, number, unknown[], unknown, INodeParameters]>([
	['set', 3.4, ['2026-03-01T09:00Z'], [['9']], set('$json.c.toDateTime().hour')],
	['set', 3.4, ['2026-03-01T09:00Z'], [['18']], set('DateTime.fromISO($json.c).hour')],
	['set', 3.4, ['2026-03-01'], [['-9']], set('$json.c.toDateTime().diffTo("2026-03-10")')],
	['set', 3.4, ['Order ab_12_cd'], [['Order ab12cd']], set('$json.c.removeMarkdown()')],
	['set', 3.4, ['(http://a.test/b).'], [['http://a.test/b).']], set('$json.c.extractUrl()')],
	['set', 3.4, [''], [['"1970-01-01T00:00:00.000Z"']], set('new Date(0)')],
	['removeDuplicates', 1.1, ['ana', 1], "'c' isn't always the same type", once],
	['removeDuplicates', 1.1, ['ana', undefined], "'c' field is missing from some input items", once],
	['removeDuplicates', 1.1, ['ana', null, 'ana'], [['ana', null, 'ana']], once],
	['removeDuplicates', 1.1, ['ana', '', 'ana'], [['ana', '']], once],
	['merge', 3.2, ['', ''], [['', '', '', '']], joined],
	['merge', 3.2, [null, null], [[null, null, null, null]], joined],
	['if', 2.2, ['no', 'não', ''], [['no', 'não'], ['']], isTrue],
	['switch', 3.2, ['no', ''], [['no']], { rules: { values: [isTrue] } }],
	['filter', 2.2, [null, undefined], [[null], [undefined]], below3],
	['httpRequest', 4.2, [''], [['/?id%5B0%5D=1&id%5B1%5D=2']], query()],
	['httpRequest', 4.2, [''], [['/?id=1&id=2']], query({ queryParameterArrays: 'repeat' })],
])('%s %d makes of %j: %j', async (name, typeVersion, given, expected, parameters) => {
	const type = `n8n-nodes-base.${name}`;
	const inputs = [0, 1].map((index) => ({ node: 'Node', type: 'main', index }));
	const { port } = echo.address() as AddressInfo;
	const workflow = await host.client.createWorkflow({
		name,
		nodes: [startNode(), { ...startNode(), name: 'Node', type, typeVersion, parameters }],
		connections: { Start: { main: [name === 'merge' ? inputs : inputs.slice(0, 1)] } },
		pinData: { Start: given.map((c) => ({ json: { c, port } as IDataObject })) },
		settings: { executionOrder: 'v1', timezone: 'Asia/Tokyo' },
	});
	const { resultData } = await host.client.execute(host.adopt(workflow), 'Start');
	const { error, data } = resultData.runData.Node![0]!;
	const found = data?.main.map((output) => output?.map(({ json }) => json.c));
	expect(error?.message ?? found).toEqual(expected);
});

test('a schedule runs at a wrong time when the clocks change', async () => {
	const { generation } = host.underTest;
	const load = createRequire((await installHost(generation)).program);
	const { CronTime } = load('cron') as { CronTime: new (times: string, zone: string) => Cron };
	const next = (times: string, zone: string, from: string): string =>
		new Date(+new CronTime(times, zone).getNextDateFrom(new Date(from), zone)).toISOString();
	// 02:00 in Lisbon, and then 02:30.
	expect(next('0 30 * * * *', 'Europe/Lisbon', '2026-03-29T00:45Z')).toMatch(/29T01:00/);
	// 01:00 in New York, and then 02:00. n8n 1 waits until then.
	const autumn = next('0 0 2 * * *', 'America/New_York', '2026-10-31T22:00Z');
	expect(autumn).toMatch(generation === 'current' ? /01T06:00/ : /01T07:00/);
});
