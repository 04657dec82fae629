import { OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';

import { newRegistry } from '../openapi/registry.mts';
import { SCHEMA_URL } from './record.mts';
import { writtenSchema } from './schema.mts';

/** The JSON Schema of scripts for editors, generated from the schema that checks them. */
export function rehearsalJsonSchema(): object {
	const registry = newRegistry();
	registry.register('Rehearsal', writtenSchema);
	const { components } = new OpenApiGeneratorV31(registry.definitions).generateComponents();
	return {
		$schema: 'https://json-schema.org/draft/2020-12/schema',
		$id: SCHEMA_URL,
		title: 'Rehearsal of a conversation',
		...(components?.schemas?.Rehearsal as object),
	};
}
