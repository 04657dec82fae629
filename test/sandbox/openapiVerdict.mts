/** Reads an OpenAPI document and writes what its validator says of it. A program of its own, because Jest cannot load that validator. */
import { json } from 'node:stream/consumers';

import { Validator } from '@seriousme/openapi-schema-validator';

const verdict = await new Validator().validate(
	(await json(process.stdin)) as Record<string, unknown>,
);
console.log(JSON.stringify(verdict));
