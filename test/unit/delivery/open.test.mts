/** The one entrance, with requests as n8n hands them to the trigger and to a question. */
import {
	type DeliveryRequest,
	openDelivery,
} from '../../../nodes/BusinessMessaging/delivery/open.ts';
import type { KnownProof } from '../../../nodes/BusinessMessaging/delivery/verify.ts';
import { type Delivery, messageBody, signed } from '../../core/harness/deliveries.mts';

const SECRET = 'a1'.repeat(32);
const NOW = 1_800_000_000;
const PROOF: KnownProof = {
	kind: 'signature',
	secrets: [SECRET],
	scheme: 'fiveField',
	tolerance: 300,
};
const EVENT = messageBody({ text: 'Large' });

const delivery = (body: unknown = EVENT, secret = SECRET) => signed(body, { secret, at: NOW });

/** n8n has read the body of JSON, and of no other type. */
function request(
	{ body, headers }: Delivery,
	contentType?: string,
): DeliveryRequest & { reads: number } {
	const rawBody = Buffer.from(body);
	const isRead = contentType === 'application/json';
	const made: DeliveryRequest & { reads: number } = {
		headers,
		contentType,
		encoding: 'utf-8',
		reads: 0,
		readRawBody: async () => {
			made.reads += 1;
			made.rawBody = rawBody;
		},
		...(isRead ? { rawBody, body: JSON.parse(String(body)) as unknown } : { body: {} }),
	};
	return made;
}

const open = async (made: DeliveryRequest, findProof = () => PROOF) =>
	await openDelivery(made, findProof, NOW);

it.each([
	['application/json', 0],
	['application/octet-stream', 1],
	['application/cloudevents+json', 1],
	[undefined, 1],
])(
	'opens a signed delivery of the type %s, whose body n8n left unread %d times',
	async (type, reads) => {
		const made = request(delivery(), type);
		expect(await open(made)).toEqual({
			isOpen: true,
			headers: made.headers,
			body: EVENT,
			proof: PROOF,
			verdict: { accepted: true, by: 'signature', idempotencyKey: 'messages:0:1' },
		});
		expect(made.reads).toBe(reads);
	},
);

it('checks each line of a repeated header', async () => {
	const made = request(delivery());
	const twice = { ...made.headers, 'x-webhook-signature': ['t=1,v1=0', 't=1,v1=0'] };
	expect(await open(Object.assign(made, { headersDistinct: twice }))).toEqual({
		isOpen: false,
		status: 401,
		message: 'Unauthorized',
		reason: 'the x-webhook-signature header came more than once',
	});
});

it('asks for no proof if there are no bytes to check', async () => {
	const findProof = jest.fn(() => PROOF);
	expect(await open(request(delivery(), 'multipart/form-data'), findProof)).toEqual({
		isOpen: false,
		status: 422,
		message: 'Unprocessable body',
		reason: 'it has no raw body to check: it is a form, an upload or broken, not an event',
	});
	expect(findProof).not.toHaveBeenCalled();
});

it.each(['application/json', 'application/octet-stream'])(
	"refuses a delivery of the type %s with another's signature, however deep its nesting",
	async (type) => {
		const deep = '['.repeat(5000) + ']'.repeat(5000);
		expect(await open(request(delivery(deep, 'b2'.repeat(32)), type))).toMatchObject({
			isOpen: false,
			status: 401,
			reason: expect.stringMatching(/^the signature is wrong/) as string,
		});
		expect(await open(request(delivery(deep), type))).toEqual({
			isOpen: false,
			status: 422,
			message: 'Unprocessable body',
			reason: 'its body is nested too deep for an execution to hold',
		});
	},
);
