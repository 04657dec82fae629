import { OpenApiGeneratorV31, type ResponseConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';

import { errorASchema, errorBSchema } from '../contract.mts';
import { registerEvents } from './events.mts';
import type { OperationDescription } from './operation.mts';
import { OPERATION_DESCRIPTIONS, ROLE_REQUIRED } from './operations.mts';
import { newRegistry } from './registry.mts';

const JSON_TYPE = 'application/json';
const json = (schema: z.ZodTypeAny) => ({ [JSON_TYPE]: { schema } });

function responsesOf(description: OperationDescription): Record<string, ResponseConfig> {
	const {
		shape,
		enterprise,
		headerRequired,
		unauthorized,
		request,
		query,
		success,
		errors = {},
	} = description;
	const { otherShapes } = description;
	const own = shape === 'A' ? errorASchema : errorBSchema;
	const refusal = (text: string, schema: z.ZodTypeAny = own) => ({
		description: text,
		content: json(otherShapes ? z.union([own, ...otherShapes]) : schema),
	});
	// A caller who is not allowed gets shape B, whatever the operation's shape.
	const notAcceptable = [
		'The address of the caller is not allowed',
		...(headerRequired ? ['Authorization header is required'] : []),
		...(unauthorized ? [unauthorized.message] : []),
		...(request ? ['the body is not acceptable'] : []),
		...(query ? ['a query parameter is not acceptable'] : []),
	].join(', or ');
	const bodyRefusals: Record<string, ResponseConfig> = request
		? {
				413: refusal('The body is too large'),
				415: refusal(`The body is not declared as ${description.requestType ?? 'JSON'}`),
			}
		: {};
	const others: Record<string, ResponseConfig> = Object.fromEntries(
		Object.entries(errors).map(([status, said]) => {
			const [text, first, ...more] = [said].flat() as [string, ...z.ZodTypeAny[]];
			const schema = more[0] && first ? z.union([first, more[0], ...more.slice(1)]) : first;
			return [status, refusal(text, schema)];
		}),
	);
	const role: Record<string, ResponseConfig> = enterprise
		? {
				422: refusal(
					enterprise === true
						? `${ROLE_REQUIRED}, or these events belong to the other kind of webhook`
						: enterprise,
				),
			}
		: {};
	return {
		[success.status]: {
			description: success.description,
			...(success.body ? { content: json(success.body) } : {}),
		},
		400: refusal(notAcceptable, z.union([own, errorBSchema])),
		...bodyRefusals,
		...(unauthorized ? {} : { 401: refusal('Unauthorized') }),
		...role,
		...others,
	};
}

/**
 * The service as an OpenAPI 3.1 document, generated from the schemas that check its requests. Its
 * webhooks are the events that the sandbox delivers.
 */
export function openApiDocument() {
	const registry = newRegistry();
	const bearer = registry.registerComponent('securitySchemes', 'secretKey', {
		type: 'http',
		scheme: 'bearer',
		description: 'The secret key',
	});
	for (const [operationId, description] of Object.entries(OPERATION_DESCRIPTIONS)) {
		const { method, path, summary, request, requestOptional, query } = description;
		const { requestType = JSON_TYPE } = description;
		const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
		registry.registerPath({
			...{ method, path, operationId, summary, security: [{ [bearer.name]: [] }] },
			request: {
				params: z.object(Object.fromEntries(parameters.map((name) => [name, z.string()]))),
				...(query ? { query } : {}),
				...(request
					? {
							body: { required: !requestOptional, content: { [requestType]: { schema: request } } },
						}
					: {}),
			},
			responses: responsesOf(description),
		});
	}
	registerEvents(registry);
	return new OpenApiGeneratorV31(registry.definitions).generateDocument({
		openapi: '3.1.0',
		info: {
			title: 'Business messaging service',
			version: '1.0.0',
			description: 'As the sandbox serves it.',
			license: { name: 'MIT', identifier: 'MIT' },
		},
		servers: [{ url: '/' }],
	});
}
