/**
 * Validates an OpenAPI document and writes the result. A separate program, because Jest cannot load
 * the validator.
 */
import { json } from 'node:stream/consumers';

import { Validator } from '@seriousme/openapi-schema-validator';

const verdict = await new Validator().validate(
	(await json(process.stdin)) as Record<string, unknown>,
);
console.log(JSON.stringify(verdict));
