/** Items in parts, and keys that know them. */
import { jobsTo, type SendSettings, type TextMessage } from './fakeService.mts';

/** An item of three parts, each with its key if there is one. */
export function inParts(
	index: number,
	{
		whole = 'whole',
		key,
		...more
	}: Pick<TextMessage, 'hours'> & { whole?: string; key?: string } = {},
) {
	const [target] = jobsTo(['5511900000001']);
	const partOf = (number: number): TextMessage => ({
		...{ ...target!, ...more, index },
		text: `text ${index}.${number}`,
		part: { number, whole },
		...(key === undefined ? {} : { once: { key: `${key} ${number}`, fingerprint: whole } }),
	});
	return { index, parts: [partOf(1), partOf(2), partOf(3)] as const };
}

/** Keys that outlive an execution. */
export class Keys {
	readonly states = new Map<string, 'doubt' | 'sent'>();
	readonly bound: SendSettings['onceKeys'] = {
		claim: async ({ key }) => {
			const state = await Promise.resolve(this.states.get(key));
			if (!state) this.states.set(key, 'doubt');
			return state ?? 'new';
		},
		confirm: async (once, covered = []) => {
			await Promise.resolve();
			for (const { key } of [once, ...covered]) this.states.set(key, 'sent');
		},
		free: async ({ key }) => void (await Promise.resolve(this.states.delete(key))),
		leaveInDoubt: () => {},
	};
}
