import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Context } from '../../context.mts';
import { Refusal } from '../../core/errors.mts';
import { faultSchemaFor } from '../../faults/schema.mts';
import { parseWith } from '../json.mts';

export function faultRoutes(app: FastifyInstance, context: Context): void {
	const { faults, worker } = context;

	app.get('/_sandbox/faults', async () => ({ faults: faults.list() }));

	app.post('/_sandbox/faults', async (request, reply) => {
		const { on } = parseWith(
			z.object({ on: z.enum(['route', 'webhook']) }).passthrough(),
			request.body,
		);
		const fault = faults.add(parseWith(faultSchemaFor(on), request.body));
		worker.wake();
		return reply.code(201).send(fault);
	});

	app.delete('/_sandbox/faults', async (_request, reply) => {
		faults.clear();
		return reply.code(204).send();
	});

	app.delete('/_sandbox/faults/:id', async (request, reply) => {
		if (!faults.remove((request.params as { id: string }).id.toUpperCase()))
			throw new Refusal(404, 'Fault not found');
		return reply.code(204).send();
	});
}
