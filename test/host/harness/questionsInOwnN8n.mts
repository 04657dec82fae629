import { clearFaults, number } from './conversations.mts';
import { Host } from './host.mts';
import { createAccount } from './listener.mts';
import { type OwnN8n, startOwnN8n } from './ownN8n.mts';
import { type Customers, reply } from './questions.mts';

/** Two customers whose window is open. */
export const [ana, ben] = [number(1), number(2)] as const;

/** A question in the chat with two choices, asked again once. */
export const inChat = {
	askIn: 'chat',
	responseType: 'replyInChat',
	choices: { values: [{ choice: 'Monday' }, { choice: 'Tuesday' }] },
	options: { askAgain: 1 },
};
export const approval = { responseType: 'approval' };

/** An n8n that a test file stops while executions wait, with a channel of its own. */
export async function startQuestions(): Promise<{ n8n: OwnN8n; customers: Customers }> {
	const { secretKey, channels } = await createAccount(new Host(), ['Questions']);
	const n8n = await startOwnN8n(secretKey);
	const customers = { host: n8n.host, channelId: channels[0] ?? '', secretKey };
	for (const customer of [ana, ben]) await reply(customers, customer, 'Hello');
	return { n8n, customers };
}

export async function endQuestions(n8n: OwnN8n | undefined): Promise<void> {
	await clearFaults(new Host());
	await n8n?.remove();
}
