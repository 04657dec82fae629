/** What `npm run fuzz` once found, let in again. */
import { findings, replay } from '../../fuzz/corpus.mts';
import { closeDoors, DOORS } from '../../fuzz/doors/index.mts';

afterAll(closeDoors);

test.each(findings())('%s breaks nothing any more', async (name) => await replay(name));

test('every door has a name of its own', () => expect(new Set(DOORS.map(({ name }) => name)).size).toBe(DOORS.length));
