import { jest } from '@jest/globals';

test('the nodes load without what needs the tables of languages, which takes milliseconds', async () => {
	const slow = [
		jest.spyOn(Number.prototype, 'toLocaleString'),
		jest.spyOn(String.prototype, 'localeCompare'),
		jest.spyOn(Intl, 'Segmenter'),
		jest.spyOn(Intl, 'Collator'),
	];
	await import('../../credentials/BusinessMessagingApi.credentials.ts');
	await import('#nodes/BusinessMessaging.node.ts');
	await import('#nodes/BusinessMessagingTrigger.node.ts');
	expect(slow.map(({ mock }) => mock.calls)).toEqual(slow.map(() => []));
});
