/** Reads the files of containers/ like the tools that use them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { checkout } from '#scripts/checkout.mts';

const FOLDER = join(checkout, 'containers');

export interface Stage {
	name: string;
	image: string;
	/** Each with its word in capitals first. Lines that go on are one. */
	instructions: string[][];
}

export interface Service {
	build?: { context: string; dockerfile: string; target: string };
	image?: string;
	command?: string[];
	environment?: Record<string, string | null>;
	ports?: string[];
	volumes?: string[];
	healthcheck?: { test: string[] };
	depends_on?: Record<string, { condition: string }>;
}

export interface Composition {
	services: Record<string, Service>;
	volumes: Record<string, unknown>;
}

export const dockerfile = readFileSync(join(FOLDER, 'Dockerfile'), 'utf8');
export const composeFile = join(FOLDER, 'compose.yaml');
export const composition = parse(readFileSync(composeFile, 'utf8'), {
	merge: true,
}) as Composition;

/** The stages of a Dockerfile, in their order. */
export function stagesOf(text: string): Stage[] {
	const lines = text
		.replaceAll(/^#.*\n/gm, '')
		.replaceAll('\\\n', '')
		.split('\n')
		.filter((line) => line.trim() !== '')
		.map((line) => line.trim().split(/\s+/));
	const stages: Stage[] = [];
	for (const [instruction, ...words] of lines) {
		const [image = '', , name = image] = words;
		if (instruction === 'FROM') stages.push({ name, image, instructions: [] });
		else stages.at(-1)?.instructions.push([instruction!, ...words]);
	}
	return stages;
}

/** The instructions of a kind in a stage, without their first word. */
export const instructionsOf = ({ instructions }: Stage, kind: string): string[][] =>
	instructions.flatMap(([word, ...rest]) => (word === kind ? [rest] : []));

/** What an instruction runs in exec form: `["node", "-e", "0"]`. */
export const execForm = (words: string[]): string[] =>
	JSON.parse(words.slice(words.findIndex((word) => word.startsWith('['))).join(' ')) as string[];
