/** What connects a channel is secret: nothing that n8n writes has it, nor the sandbox's page. */
import { randomUUID } from 'node:crypto';

import { CHANNEL_TYPES, kindOf } from '#sandbox/channelTypes.mts';
import { Host } from './harness/host.mts';
import { issueConnectionData } from './harness/tenants.mts';
import { databaseTexts, filesWritten, type Trace } from './harness/traces.mts';

const host = new Host();
const SECRET_KEY = `sandbox_sk_${randomUUID()}`;
/** In the name of each node's item. It shows that the search looks in the right places. */
const MARK = 'mark-of-the-connection-secrecy-test';
/** What the page shows comes from here, and so does what it exports. */
const PAGE_READS = ['state', 'requests?limit=500', 'faults'];

let channels: string[];
beforeAll(async () => {
	const { tenants } = await host.sandbox.post<{ tenants: Array<{ channels: string[] }> }>(
		'/_sandbox/seed',
		{
			tenants: [
				{
					...{ name: MARK, secretKey: SECRET_KEY },
					publicKey: SECRET_KEY.replace('_sk_', '_pk_'),
					channels: CHANNEL_TYPES.map((type) => ({ name: type, type, connected: false })),
				},
			],
		},
	);
	channels = tenants[0]!.channels;
});
afterAll(async () => await host.cleanUp());

async function pageTexts(): Promise<Trace[]> {
	const read = async (path: string): Promise<Trace> => ({
		place: path,
		text: JSON.stringify(await host.sandbox.get(`/_sandbox/${path}`)),
	});
	return await Promise.all(PAGE_READS.map(read));
}

test('a grant is found nowhere after a connection, and after a refusal', async () => {
	const credential = await host.client.createCredential(
		'Connects',
		host.underTest.credential.type,
		{
			baseUrl: host.underTest.sandboxUrl,
			secretKey: SECRET_KEY,
		},
	);
	const seen: string[] = [];
	const secrets: string[] = [];
	const grants: string[] = [];
	const connect = async (fromSdk: object): Promise<unknown> => {
		// What n8n stores of the node's own input does not hold it as it is.
		const encoded = Buffer.from(JSON.stringify(fromSdk)).toString('base64');
		const { execution, error } = await host.runAction(
			{
				...{ resource: 'channel', operation: 'connect', connectionData: 'object' },
				sdkObject: `={{ '${encoded}'.base64Decode() }}`,
			},
			{ credential, items: [{ mark: MARK }] },
		);
		seen.push(JSON.stringify(execution));
		return error?.message;
	};
	for (const [at, type] of CHANNEL_TYPES.entries()) {
		const fromSdk = await issueConnectionData(
			host,
			channels[at]!,
			SECRET_KEY.replace('_sk_', '_pk_'),
		);
		const { grant } = kindOf(type);
		const values = Object.entries(fromSdk)
			.filter(([name, value]) => name !== 'channelId' && typeof value === 'string')
			.map(([, value]) => String(value));
		expect(values.length).toBeGreaterThan(0);
		const refused = `refused_${randomUUID()}`;
		secrets.push(...values, refused);
		grants.push(fromSdk[grant as 'code'], refused);
		expect([type, await connect({ ...fromSdk, [grant]: refused })]).toEqual([
			type,
			expect.stringContaining('Could not connect the channel'),
		]);
		expect([type, await connect(fromSdk)]).toEqual([type, undefined]);
	}

	const ofN8n = [
		...seen.map((text, at) => ({ place: `response ${at}`, text })),
		...databaseTexts(host.underTest.home),
		...filesWritten(host.underTest.home),
	];
	const ofPage = await pageTexts();
	const places = [...ofN8n, ...ofPage];
	const placesOf = (needle: string, where = places): string[] =>
		where.filter(({ text }) => text.includes(needle)).map(({ place }) => place);
	expect(placesOf(MARK)).toEqual(
		expect.arrayContaining(['response 0', 'execution_data.data', 'state']),
	);
	expect(places.find(({ place }) => place.endsWith('n8n.log'))?.text).toMatch(/debug/);
	for (const secret of secrets) expect([secret, placesOf(secret, ofN8n)]).toEqual([secret, []]);
	// The sandbox itself gave out the IDs beside it, and shows them.
	expect(grants).toHaveLength(2 * CHANNEL_TYPES.length);
	for (const grant of grants) expect([grant, placesOf(grant, ofPage)]).toEqual([grant, []]);
}, 300_000);
