/** The one entrance, with requests as n8n hands them to the trigger and to a question. */
import { type DeliveryRequest, openDelivery } from '#nodes/delivery/open.ts';
import { messageBody, signed } from '../../core/harness/deliveries.mts';
import { five, NOW, secret } from './signedDelivery.mts';

const EVENT = messageBody({ text: 'Large' });
const PROOF = five();
const JSON_TYPE = 'application/json';
const refused = { accepted: false, status: 401, message: 'Unauthorized' };
const unprocessable = { accepted: false, status: 422, message: 'Unprocessable body' };

/** n8n has read the body of JSON, and of no other type. */
function request(contentType?: string, sent: unknown = EVENT, by = secret) {
	const { body, headers } = signed(sent, { secret: by, at: NOW });
	const rawBody = Buffer.from(body);
	const made: DeliveryRequest & { reads: number } = {
		headers,
		contentType,
		encoding: 'utf-8',
		reads: 0,
		readRawBody: async () => {
			made.reads += 1;
			made.rawBody = rawBody;
		},
		body: {},
		...(contentType === JSON_TYPE ? { rawBody, body: JSON.parse(String(body)) as unknown } : {}),
	};
	return made;
}
const open = async (made: DeliveryRequest, findProof = () => PROOF) =>
	await openDelivery(made, findProof, NOW);

it.each([
	[JSON_TYPE, 0],
	['application/octet-stream', 1],
	['application/cloudevents+json', 1],
	[undefined, 1],
])('opens a delivery of the type %s, whose body n8n left unread %d times', async (type, reads) => {
	const made = request(type);
	expect(await open(made)).toEqual({
		accepted: true,
		by: 'signature',
		idempotencyKey: 'messages:0:1',
		headers: made.headers,
		body: EVENT,
	});
	expect(made.reads).toBe(reads);
});

it('checks each line of a repeated header', async () => {
	const made = request();
	const twice = { ...made.headers, 'x-webhook-signature': ['t=1,v1=0', 't=1,v1=0'] };
	expect(await open(Object.assign(made, { headersDistinct: twice }))).toEqual({
		...refused,
		reason: 'the x-webhook-signature header came more than once',
	});
});

it('asks for no proof if there are no bytes to check', async () => {
	const findProof = jest.fn(() => PROOF);
	expect(await open(request('multipart/form-data'), findProof)).toEqual({
		...unprocessable,
		reason: 'it has no raw body to check: it is a form, an upload or broken, not an event',
	});
	expect(findProof).not.toHaveBeenCalled();
});

it.each([JSON_TYPE, 'application/octet-stream'])(
	'refuses a deep body of the type %s, first for its signature, then for its depth',
	async (type) => {
		const deep = '['.repeat(5000) + ']'.repeat(5000);
		expect(await open(request(type, deep, 'b2'.repeat(32)))).toEqual({
			...refused,
			reason: expect.stringMatching(/^the signature is wrong/) as string,
		});
		expect(await open(request(type, deep))).toEqual({
			...unprocessable,
			reason: 'its body is nested too deep for an execution to hold',
		});
	},
);
