/** Checks the types of the package, of the tools and tests, and of the sandbox's page. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { cacheRoot } from './bootstrap/cache.cjs';
import { checkout, tool } from './checkout.mts';
import type { Depth } from './depths.mts';
import { inForeground } from './foreground.mts';

/** Where the compiler keeps what it knows, as the tsconfig files say. */
const KNOWN = join(checkout, 'node_modules', '.cache');
/** The same for all checkouts: the compiler goes by the contents of the files. */
const SHARED = join(cacheRoot(), 'types');

type Project = readonly [configuration: string, known: string];
const PACKAGE: Project = ['tsconfig.json', 'package.tsbuildinfo'];
const OTHERS: readonly Project[] = [
	['tsconfig.tools.json', 'tools.tsbuildinfo'],
	['tsconfig.page.json', 'page.tsbuildinfo'],
];
const PROJECTS: Record<Depth, readonly Project[]> = {
	daily: [PACKAGE],
	deep: OTHERS,
	all: [PACKAGE, ...OTHERS],
};

export async function checkTypes(depth: Depth): Promise<boolean> {
	mkdirSync(KNOWN, { recursive: true });
	mkdirSync(SHARED, { recursive: true });
	const codes = await Promise.all(
		PROJECTS[depth].map(async ([project, known]) => {
			const [own, shared] = [join(KNOWN, known), join(SHARED, known)];
			if (!existsSync(own) && existsSync(shared)) copyFileSync(shared, own);
			const code = await inForeground([tool('typescript/bin/tsc'), '--noEmit', '-p', project]);
			if (code === 0) copyFileSync(own, shared);
			return code;
		}),
	);
	return codes.every((code) => code === 0);
}
