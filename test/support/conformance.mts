/** Holds requests and answers against the published operations. */
import { Ajv2020 } from 'ajv/dist/2020.js';

import { OPERATIONS, type Published } from '../fixtures/published/operations.mts';
import type { Schema } from '../fixtures/published/words.mts';

/** A request and its answer, as they were on the wire. */
export interface Exchange {
	method: string;
	/** With its query. */
	url: string;
	type: string | undefined;
	authorization: string | undefined;
	body: string;
	status: number;
	answer: string;
}

const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: true });

/** What a value has that its schema does not have, or lacks. */
function faultsOf(schema: Schema, value: unknown, where: string): string[] {
	if (ajv.validate(schema, value)) return [];
	return (ajv.errors ?? []).map(({ instancePath, message, params }) => {
		const { additionalProperty } = params as { additionalProperty?: string };
		const place = `${where}${instancePath.replaceAll('/', '.').replace(/\.\d+/g, '[]')}`;
		return additionalProperty === undefined
			? `${place} ${message}`
			: `${place}.${additionalProperty} is not published`;
	});
}

const TEMPLATES = '/chatapp/businesses';
const placesIn = (path: string): number => path.split('{').length;

/** @returns the published operation of a request, and its name */
export function operationOf(method: string, path: string): [string, Published] | undefined {
	const isAt = (published: string) =>
		new RegExp(
			`^${published.replace('{templates}', TEMPLATES).replace(/\{\w+\}/g, '[^/]+')}$`,
		).test(path);
	return Object.entries(OPERATIONS)
		.filter(([, known]) => known.method === method && isAt(known.path))
		.sort(([, left], [, right]) => placesIn(left.path) - placesIn(right.path))[0];
}

/** How an exchange differs from what is published. Empty: it conforms. */
export async function complaintsOf(exchange: Exchange): Promise<string[]> {
	const { method, url, authorization, status, answer } = exchange;
	const { pathname, searchParams } = new URL(url, 'http://service');
	const [name, known] = operationOf(method, pathname) ?? [];
	if (name === undefined || !known) return [`${method} ${pathname} is not published`];
	const [statuses, holds] = known.success;
	const requested = [
		...queryFaults(known, searchParams),
		...(/^Bearer \S+$/.test(authorization ?? '') ? [] : ['has no key']),
		...(await bodyFaults(known, exchange)),
	];
	const answered = ![statuses].flat().includes(status)
		? [`is answered with ${status}: ${answer}`]
		: holds === null
			? answer === ''
				? []
				: ['is answered with a body']
			: faultsOf(holds, JSON.parse(answer), 'answer');
	return [...requested, ...answered].map((fault) => `${name}: ${fault}`);
}

function queryFaults({ query = {} }: Published, given: URLSearchParams): string[] {
	const needed = Object.keys(query).filter((field) => field.endsWith('!'));
	return [
		...needed.filter((field) => !given.has(field.slice(0, -1))).map((field) => `lacks ${field}`),
		...[...given].flatMap(([field, value]) => {
			const schema = query[field] ?? query[`${field}!`];
			if (!schema) return [`query.${field} is not published`];
			return faultsOf(schema, schema.type === 'integer' ? Number(value) : value, `query.${field}`);
		}),
	];
}

async function bodyFaults(known: Published, { type, body }: Exchange): Promise<string[]> {
	if (known.form) return await formFaults(known.form, type ?? '', body);
	if (body === '') return known.body && !known.isBodyOptional ? ['has no body'] : [];
	if (!known.body) return ['has a body'];
	return [
		...(/^application\/json\b/.test(type ?? '') ? [] : ['is not declared as JSON']),
		...faultsOf(known.body, JSON.parse(body), 'body'),
	];
}

async function formFaults(
	form: Record<string, Schema>,
	type: string,
	body: string,
): Promise<string[]> {
	const given = await new Response(body, { headers: { 'content-type': type } })
		.formData()
		.catch(() => new FormData());
	const names = [...given.keys()].sort();
	if (names.join() !== Object.keys(form).sort().join()) return [`has the parts ${names.join()}`];
	return [
		...(given.get('file') instanceof File ? [] : ['has no file']),
		...faultsOf(form.type!, given.get('type'), 'type'),
	];
}
