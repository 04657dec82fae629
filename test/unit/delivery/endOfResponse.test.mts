import { endOfResponse } from '#nodes/delivery/respond.ts';
import { FakeResponse } from '../../support/fakeResponse.mts';
import { PlayedClock, settled } from '../../support/clocks.mts';

/** What is known so far of the end of a response. */
function watched(response: FakeResponse, clock = new PlayedClock()) {
	const known: { kept?: boolean } = {};
	void endOfResponse(response, clock).then((kept) => (known.kept = kept));
	return { known, clock };
}

describe('the end of a response', () => {
	it.each([
		[199, false],
		[200, true],
		[299, true],
		[300, false],
		[500, false],
	])('is known once it was handed over, with status %i', async (status, kept) => {
		const response = new FakeResponse();
		const { known, clock } = watched(response);
		await clock.pass(600_000);
		expect(known).toEqual({});
		response.end(status);
		response.close();
		await settled();
		expect(known).toEqual({ kept });
	});

	it.each([
		[{ destroyed: true }, {}],
		[{ destroyed: true, writableEnded: true }, { kept: true }],
		[{ destroyed: true, writableEnded: true, statusCode: 500 }, { kept: false }],
		[{ writableFinished: true, writableEnded: true }, { kept: true }],
		[{ writableFinished: true, writableEnded: true, statusCode: 500 }, { kept: false }],
	])('is known at once if it came before the first look: %j', async (ended, expected) => {
		const { known } = watched(Object.assign(new FakeResponse(), ended));
		await settled();
		expect(known).toEqual(expected);
	});

	it('is found after its sender disconnected, before or after the first look', async () => {
		const gone = new FakeResponse();
		gone.close();
		const going = new FakeResponse();
		const watches = [watched(gone), watched(going)];
		going.close();
		for (const { clock, known } of watches) {
			await clock.pass(59_000);
			expect(known).toEqual({});
		}
		gone.end(200);
		going.end(500);
		for (const { clock } of watches) await clock.pass(100);
		expect(watches.map(({ known }) => known)).toEqual([{ kept: true }, { kept: false }]);
	});

	it('is awaited for a minute, and a later one counts as lost', async () => {
		const response = new FakeResponse();
		response.close();
		const { known, clock } = watched(response);
		await clock.pass(59_999);
		expect(known).toEqual({});
		await clock.pass(1);
		await settled();
		response.end(200);
		await clock.pass(1000);
		expect(known).toEqual({ kept: false });
		expect(clock.sleeping).toBe(0);
	});
});
