/** Tries again what `npm run fuzz` once found. */
import { findings, replay } from '../../fuzz/corpus.mts';
import { closeEntryPoints, ENTRY_POINTS } from '../../fuzz/entryPoints/index.mts';

afterAll(closeEntryPoints);

test.each(findings())('%s breaks nothing any more', async (name) => await replay(name));

test('every entry point has a name of its own', () =>
	expect(new Set(ENTRY_POINTS.map(({ name }) => name)).size).toBe(ENTRY_POINTS.length));
