/**
 * A newcomer builds a broadcast by mouse, from an empty canvas: to the rows of a data table, run
 * twice.
 */
import { GET_ROWS, SEND_TEXT, Trial } from './harness/trial.mts';

const READERS = [
	{ phone: '5511900008831', name: 'Ana' },
	{ phone: '5511900008832', name: 'Bruno' },
	{ phone: '5511900008833', name: 'Carla' },
];
const trial = new Trial(
	'Newsletter',
	READERS.map(({ phone }) => phone),
);
const { step } = trial;
const eachReceived = async () =>
	await Promise.all(READERS.map(async ({ phone }) => await trial.received(phone, 1)));
const EACH_ONCE = READERS.map(({ name }) => [{ type: 'TEXT', text: `Spring is here, ${name}` }]);

step('the table is chosen from a list, and shows its rows', async () => {
	await trial.startWithRows(READERS);
});

step('each row gets a text, with a key under which it is sent once', async () => {
	const { build } = trial;
	await trial.addBehind(GET_ROWS, SEND_TEXT);
	await trial.set({ recipient: '{{ $json.phone }}', text: 'Spring is here,' });
	await trial.set({ text: '{{ $json.name }}' });
	await build.addOption('Send Once Key');
	await trial.set({ sendOnceKey: 'spring' });
	await trial.set({ sendOnceKey: '{{ $json.phone }}' });
	await build.execute();
	expect(await eachReceived()).toEqual(EACH_ONCE);
	await build.closeNode();
});

step('run a second time, it sends nothing and says so', async () => {
	const { build } = trial;
	await build.executeWorkflow();
	await build.openNode(SEND_TEXT);
	await build.output.getByText(/^3 .*had been sent before/).waitFor();
	await trial.shows({ alreadySent: 'true' });
	expect(await eachReceived()).toEqual(EACH_ONCE);
	await build.closeNode();
});
