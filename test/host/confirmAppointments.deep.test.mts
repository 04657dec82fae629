import type { IDataObject } from 'n8n-workflow';

import { number } from './harness/conversations.mts';
import { Example, ownAccount } from './harness/examples.mts';
import { listWebhooks, reply, tap, textsTo } from './harness/questions.mts';

test('asks once, keeps a tap and words of one who has one open appointment, and waits for nobody', async () => {
	const { host, secretKey, channels } = await ownAccount(['Appointments']);
	const [channelId = ''] = channels;
	const customers = { host, channelId, secretKey };
	try {
		const ana = number(790);
		const example = await Example.import(host, 'confirm-appointments', channelId);
		await example.publish();
		await reply(customers, ana, 'Hello');
		await example.executions(1);
		const row = async (): Promise<IDataObject | undefined> => (await example.rows())[0];
		await example.run('Set Up', 'A Sample Appointment');
		await example.updateRows({ columnName: 'appointmentId', value: 'A-1001' }, { customer: ana });
		await example.run('Every Morning', 'Ask');
		expect(await row()).toMatchObject({ state: 'asked', key: expect.any(String) as unknown });
		// The trigger's webhook is the only one.
		expect(await listWebhooks(customers)).toHaveLength(1);

		await reply(customers, ana, 'please cancel it!');
		await example.executions(4);
		expect(await row()).toMatchObject({ state: 'cancelled' });
		await tap(customers, ana, 'Yes, I will come');
		await example.executions(5);
		expect(await row()).toMatchObject({ state: 'confirmed' });
		// Nothing is open, so words are about something else.
		await reply(customers, ana, 'Another time');
		await example.executions(6);
		expect(await row()).toMatchObject({ state: 'confirmed' });
		expect((await textsTo(customers, ana)).slice(-2)).toEqual([
			'Your appointment is cancelled.',
			'Thank you! See you then.',
		]);
	} finally {
		await host.cleanUp();
	}
});
