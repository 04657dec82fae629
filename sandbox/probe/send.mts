import { sendResponseSchema } from '../contract.mts';
import type { Answer } from './answer.mts';
import type { Run } from './runContext.mts';

/** The most messages that a run sends. */
export const MOST_MESSAGES = 12;

/** A free-form text. */
export const text = (message: string) => ({ type: 'TEXT', body: { message } });

/** The ID of an accepted message. */
export const messageIdIn = (answer: Answer): string | undefined =>
	answer.status < 300 ? sendResponseSchema.safeParse(answer.body).data?.messageId : undefined;

export const isSent = ({ status }: Answer): boolean => status < 300;

/** Sends to the phone, and to nobody else. Counts what the service accepts. */
export async function send(run: Run, content: unknown, channelId = run.channelId): Promise<Answer> {
	if (run.phone === undefined || !run.allowed.has('sends') || run.sent >= MOST_MESSAGES)
		throw new Error('this run may not send');
	const body = {
		recipient: { identifier: run.phone },
		...(content === undefined ? {} : { content }),
	};
	const answer = await run.wire.call(`/v1/channels/${channelId}/messages`, { body });
	if (isSent(answer)) run.sent += 1;
	return answer;
}
