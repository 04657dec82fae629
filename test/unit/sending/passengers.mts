/** Messages that wait at a pace, without an execution around them. */
import type { Owner, Pace, Passenger } from '../../../nodes/BusinessMessaging/sending/pace.ts';
import type { Clock } from '../../../nodes/BusinessMessaging/shared/clock.ts';

/** The pace for messages that wait for as long as it takes, and have all places. */
export class Gate {
	private readonly owners = new Map<object, Owner>();

	constructor(
		private readonly pace: Pace,
		private readonly clock: Clock,
	) {}

	get isIdle(): boolean {
		return this.pace.isIdle;
	}

	/** @param who whose message it is */
	async enter(maxPerSecond: number, who: object, judge: Passenger['judge'] = () => undefined) {
		const owner = this.owners.get(who) ?? { hasPlace: () => true };
		this.owners.set(who, owner);
		const passenger: Passenger = {
			...{ owner, maxPerSecond, recipient: 'a', latest: Infinity, departure: 0 },
			...{ judge, takePlace: () => {} },
		};
		await this.pace.enter(passenger);
		return passenger.departure ? { leave: () => this.pace.leave(passenger) } : undefined;
	}

	withdraw(who: object): void {
		const owner = this.owners.get(who);
		if (owner) this.pace.withdraw(owner);
	}

	/** As a 503 does. */
	pause(milliseconds: number): void {
		this.pace.holds.pause(this.clock.now(), milliseconds);
	}
}
