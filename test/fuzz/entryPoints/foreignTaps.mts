import fc from 'fast-check';

import { hashOfLink } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/links.ts';
import { seal } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/inChat/seal.ts';
import type { ApprovalInChat } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';
import { receiveReply } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/receiveReply.ts';
import {
	computeSignature,
	signatureHeader,
} from '../../../nodes/BusinessMessaging/service/signature.ts';
import {
	type Answering,
	answeringContext,
	CHANNEL,
	FakeService,
	HOUR,
	waitingWebhook,
} from '../../unit/sendAndWait/fakes.mts';
import { type EntryPoint, type Json, must } from '../entryPoint.mts';
import { oddText } from '../texts.mts';

const SIGNATURE = 'f'.repeat(64);
const SECRET = 'a1'.repeat(32);
const ANA = '5511900000001';
/** Stands in an input for the question's ID. */
const QUESTION = 'q-1';
const SENT = { from: 1000, until: 2000 };
const AGAIN = { from: 3000, until: 4000, messageId: 'again' };

/** How a content carries an ID. Not where anything but a question's ID is just a text. */
const PLACES: Record<string, (id: string, title: string) => { [name: string]: Json }> = {
	button: (id, title) => ({ button: { id, title } }),
	reply: (id) => ({ interactive_reply: { id } }),
	payload: (payload) => ({ payload }),
	direct: (id, title) => ({ id, title }),
	deep: (id, title) => ({ button: { title }, more: [{ deep: id }] }),
	json: (id, title) => ({ button: { title }, data: JSON.stringify({ id }) }),
};

const input = fc.record({
	words: fc.oneof(
		{ weight: 4, arbitrary: fc.constantFrom('Approve', 'approve!', '*Approve*', 'Decline') },
		{ weight: 1, arbitrary: oddText },
	),
	type: fc.constantFrom('TEXT', 'INTERACTIVE_BUTTON', 'BUTTON', null),
	/** Null: the title. */
	id: fc.constantFrom(
		null,
		...['approve-refund', 'n8n-question:q-2:1', `n8n-question:${QUESTION}0:1`],
		...[`n8n-question:${QUESTION}:9`, 'n8n-question:'],
	),
	place: fc.constantFrom(...Object.keys(PLACES)),
	quoted: fc.constantFrom(null, 'first', 'another', `n8n-question:${QUESTION}:1`),
	quotes: fc.constantFrom('context', 'quoted_message', 'replyTo'),
	at: fc.constantFrom(1500, 2001, 3500, 5000),
	again: fc.constantFrom('not', 'unknown', 'dated'),
	more: fc.dictionary(fc.constantFrom('header', 'note', 'x'), oddText, { maxKeys: 2 }),
});
export type ForeignTap = typeof input extends fc.Arbitrary<infer Value> ? Value : never;

function bodyOf({ words, type, id, place, quoted, quotes, at, more }: ForeignTap): Json {
	const carried = PLACES[place]!(id ?? words, words);
	const quote = quoted === null ? {} : { [quotes]: { id: quoted } };
	return {
		message: {
			...{ _id: 'm1', created: at, channel_id: CHANNEL, metadata: { from_me: false } },
			sender: { identifier: ANA, name: 'Ana' },
			contents: [{ ...more, ...quote, type, message: words, ...carried }],
		},
	};
}

const questionOf = (id: string): ApprovalInChat => ({
	kind: 'approvalInChat',
	...{ id, links: [hashOfLink(id, SIGNATURE)], message: 'Refund?', answeredText: '' },
	...{ channelId: CHANNEL, recipient: ANA, sent: [SENT], messageIds: ['first'] },
	...{ choices: ['Approve', 'Decline'], buttons: true, tellOthers: '', webhookId: 'own' },
	sealedSecret: seal(SECRET, SIGNATURE),
	deadline: new Date(Date.now() + HOUR).toISOString(),
});

function signed(body: Json): Answering {
	const rawBody = Buffer.from(JSON.stringify(body));
	const timestamp = String(Math.floor(Date.now() / 1000));
	const idempotencyKey = 'messages:0:1';
	const signature = computeSignature(SECRET, 'fiveField', {
		...{ timestamp, idempotencyKey, body: rawBody },
	});
	return {
		query: { signature: SIGNATURE },
		headers: {
			'x-idempotency-key': idempotencyKey,
			'x-webhook-signature': signatureHeader(timestamp, signature ?? ''),
		},
		rawBody,
	};
}

/** What receives the delivery. @returns whether the execution goes on */
export type Receive = (service: FakeService, body: Json) => Promise<boolean>;

let asked = 0;
export const receive: Receive = async (service, body) => {
	// A question is answered once in a process.
	const id = `asked-${++asked}`;
	const ofQuestion = JSON.parse(JSON.stringify(body).replaceAll(QUESTION, id)) as Json;
	const context = answeringContext(service, questionOf(id), signed(ofQuestion));
	return (await receiveReply(context)).workflowData !== undefined;
};

/** A tap on another message's button, by the approver: it never decides, whatever it says. */
export function foreignTapsOf(run: Receive): EntryPoint<ForeignTap> {
	return {
		name: 'foreign-taps',
		input,
		check: async (tap) => {
			const service = new FakeService();
			const webhook = waitingWebhook('own');
			const again = { not: {}, unknown: { 0: null }, dated: { 0: AGAIN } }[tap.again];
			Object.assign(webhook.customAttributes?.n8nWait as object, { again });
			service.webhooks = [webhook];
			must(!(await run(service, bodyOf(tap))), 'a tap on another message decides');
			must(service.messages.length <= 1, 'the question came more than once');
		},
	};
}

export const foreignTaps = foreignTapsOf(receive);
