/** What *Template From Draft to Broadcast* does not do. */
import { nodeOf } from './evaluate.mts';

test('a draft whose name another template has does not start a broadcast of that one', () => {
	const { conditions } = nodeOf('template-from-draft-to-broadcast', 'Find the Draft').parameters
		.filters as { conditions: unknown[] };
	expect(conditions).toContainEqual({ keyName: 'status', condition: 'neq', keyValue: 'REFUSED' });
});
