import { randomUUID } from 'node:crypto';

import type { CredentialReference } from '#scripts/n8n/types.mts';
import { CREDENTIAL_TYPE } from '#scripts/n8n/provision.mts';
import { byId, type Host } from './host.mts';
import { createTenant } from './tenants.mts';

/** A made-up customer's number. */
export const number = (index: number) => String(5511900000000 + index);

/**
 * An account whose channel nobody else uses, with the conversation windows of these customers open.
 */
export async function openConversations(host: Host, customers: string[]) {
	const secretKey = `sandbox_sk_${randomUUID()}`;
	const tenant = await createTenant(host, { name: 'Sending', secretKey, enterprise: true });
	const { channelId } = tenant;
	for (const from of customers)
		await host.sandbox.customerWrites({ channelId, from, name: 'Customer', text: 'Hello' });
	const credentialFor = async (baseUrl: string): Promise<CredentialReference> =>
		await host.client.createCredential(`Sending ${randomUUID()}`, CREDENTIAL_TYPE, {
			baseUrl,
			secretKey,
		});
	return { ...tenant, secretKey, credentialFor };
}

/** Parameters of Send Text for items with `to` and `text`. */
export const sendTextParameters = (channelId: string, options: Record<string, number> = {}) => ({
	resource: 'message',
	operation: 'sendText',
	channelId: byId(channelId),
	recipient: '={{ $json.to }}',
	text: '={{ $json.text }}',
	options,
});

interface ListedMessage {
	number: number;
	direction: string;
	customer: string;
	content: { text: string };
}

/** Highest number of messages in a response of the sandbox. */
const PAGE = 10_000;

/** The messages that the service accepted on a channel, in order. */
export async function acceptedTexts(
	{ sandbox }: Pick<Host, 'sandbox'>,
	channelId: string,
): Promise<Array<{ customer: string; text: string }>> {
	const accepted: Array<{ customer: string; text: string }> = [];
	let after = 0;
	for (;;) {
		const { messages } = await sandbox.get<{ messages: ListedMessage[] }>(
			`/_sandbox/messages?channelId=${channelId}&after=${after}&limit=${PAGE}`,
		);
		for (const { number: place, direction, customer, content } of messages) {
			if (direction === 'out') accepted.push({ customer, text: content.text });
			after = place;
		}
		if (messages.length < PAGE) return accepted;
	}
}

/**
 * When sends reached the service (milliseconds, ascending), and the highest number of requests in
 * flight.
 */
export async function sendRequests(
	host: Host,
	channelId: string,
): Promise<{ times: number[]; maxInFlight: number }> {
	const { requests, maxInFlight } = await host.sandbox.get<{
		maxInFlight: number;
		requests: Array<{ time: string }>;
	}>(`/_sandbox/requests?method=POST&path=/v1/channels/${channelId}/messages&limit=20000`);
	return {
		times: requests.map(({ time }) => Date.parse(time)).sort((left, right) => left - right),
		maxInFlight,
	};
}

export async function clearRequests(host: Host): Promise<void> {
	await fetch(new URL('/_sandbox/requests', host.underTest.sandboxUrl), { method: 'DELETE' });
}

export async function clearFaults(host: Host): Promise<void> {
	await fetch(new URL('/_sandbox/faults', host.underTest.sandboxUrl), { method: 'DELETE' });
}
