import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Context } from '../../context.mts';
import { idSchema, requiredText } from '../../contract.mts';
import { Refusal } from '../../core/errors.mts';
import { parseWith } from '../json.mts';
import { messageView } from './chats.mts';
import { channelNamed } from './find.mts';

const MOST_MESSAGES = 10_000;
const query = z.object({ channel: idSchema, customer: requiredText.max(128).optional() });

/** Chats as a rehearsal script: all of a channel, or one customer's. */
export function rehearsalRoutes(app: FastifyInstance, context: Context): void {
	app.get('/_sandbox/rehearsal', async (request, reply) => {
		const { channel, customer } = parseWith(query, request.query);
		const { id: channelId, name } = channelNamed(context, channel);
		const messages = context.messages.list({ channelId, customer, limit: MOST_MESSAGES });
		if (messages.length === 0) throw new Refusal(404, 'This chat has no messages');
		const names = new Map(
			context.messages
				.conversations(channelId, MOST_MESSAGES)
				.map((conversation) => [conversation.customer, conversation.name]),
		);
		// Loaded on demand, so that a start does not wait for it.
		const { recordedScript } = await import('../../rehearsal/record.mts');
		const script = recordedScript({
			messages: messages.map(messageView),
			names,
			name: `Recorded from ${name}`,
		});
		return reply.type('text/yaml; charset=utf-8').send(script);
	});
}
