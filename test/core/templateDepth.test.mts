/** Templates that n8n could not read again with their execution. */
import { byId } from '../support/constants.mts';
import { runInEngine } from './harness/engine.mts';
import { answer } from './harness/operations.mts';
import { startScriptedService } from './harness/scriptedService.mts';

const businessId = byId('1022');
const list = { resource: 'template', operation: 'getAll', businessId, returnAll: true };
const define = { resource: 'template', operation: 'update', businessId, definition: 'json' };
const templateId = byId('1');
const REASON = 'is nested more than 64 levels deep';

/** What an operation gives, and the requests before it, for a service that answers so. */
async function attempt(parameters: object, body: unknown) {
	const service = await startScriptedService(answer(body));
	const settings = { baseUrl: service.url, parameters: { ...parameters } };
	const { items, error, hints } = await runInEngine(settings);
	await service.close();
	const said = hints.map(({ message }) => message);
	return { items: items.map(({ json }) => json), error, said, sent: service.requests.length };
}

const DEEP = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
const nested = (levels: number): unknown =>
	JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
/** With its list and its component, a template of this many levels. */
const templateOf = (levels: number) => ({
	...{ name: 'order', language: 'en', id: '1' },
	components: [{ type: 'BODY', text: 'Hello', example: nested(levels - 3) }],
});

test('Get Many gives a template of 100 levels, and says what it leaves out of one of more', async () => {
	const give = async (levels: number, simplify: boolean) => {
		const data = [{ name: 'other', language: 'en' }, templateOf(levels)];
		return await attempt({ ...list, simplify }, { data });
	};
	const whole = await give(100, false);
	expect(whole.items[1]).toEqual(templateOf(100));
	expect(whole.said).toEqual([]);
	const cut = await give(2000, false);
	expect(cut.items[1]).toMatchObject({ name: 'order', components: [{ text: 'Hello' }] });
	expect(cut.said).toEqual([expect.stringContaining('more than 100 levels deep')]);
	const simplified = await give(2000, true);
	expect(simplified.items[1]).toMatchObject({ text: 'Hello' });
	expect(simplified.said).toEqual([]);
});

test.each<[string, object]>([
	['Components', { components: JSON.stringify(templateOf(65)) }],
	['Components', { components: `[{"type":"BODY","text":"Hi","x":${DEEP}}]` }],
	[
		'Library Inputs',
		{
			...{ definition: 'library', libraryTemplate: 'order' },
			libraryInputs: JSON.stringify({ library_template_body_inputs: nested(65) }),
		},
	],
])('an update does not send %s of more than 64 levels', async (field, more) => {
	const { error, sent } = await attempt({ ...define, templateId, ...more }, { success: true });
	expect(error?.message).toContain(`"${field}" ${REASON}`);
	expect(sent).toBe(0);
});
