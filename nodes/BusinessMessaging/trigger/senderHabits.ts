/** So often in a row before it counts as a habit. */
const HABIT = 5;
/** Nodes remembered by a process. */
const NODES_MAX = 1000;

/** What the log is to say of a sender, once for a node. */
export type Habit = 'oneAtATime' | 'givesUp';

interface NodeState {
	/** Deliveries that wait now. */
	waiting: number;
	/** The delivery that was let go last: when its message was written, by the service's clock, and how long it waited. Milliseconds. */
	last?: { written: number; waited: number };
	inARow: Record<Habit, number>;
	told: Set<Habit>;
}

/**
 * Notices how the service delivers to a node that lets deliveries wait, where that makes waiting useless. `oneAtATime`: a message that was written
 * while the one before waited comes only after that one's answer, again and again. `givesUp`: it goes away before it is answered, again and again.
 */
export class SenderHabits {
	private readonly nodes = new Map<string, NodeState>();

	/** A delivery begins to wait. @param written when its message was, by the service's clock; NaN where it does not tell */
	arrive(node: string, written: number): Habit | undefined {
		const state = this.stateOf(node);
		const { last } = state;
		if (state.waiting > 0) state.inARow.oneAtATime = 0;
		// The two times of the service and the one of this machine are each a span of one clock. Half of the span: a delivery is on its way for a while.
		else if (last && written >= last.written && written - last.written < last.waited / 2)
			state.inARow.oneAtATime += 1;
		state.waiting += 1;
		return this.notice(state, 'oneAtATime');
	}

	/** It need not wait any more. @param waited milliseconds */
	leave(node: string, written: number, waited: number, isGone: boolean): Habit | undefined {
		const state = this.stateOf(node);
		state.waiting -= 1;
		state.last = { written, waited };
		state.inARow.givesUp = isGone ? state.inARow.givesUp + 1 : 0;
		return this.notice(state, 'givesUp');
	}

	private notice(state: NodeState, habit: Habit): Habit | undefined {
		if (state.inARow[habit] < HABIT || state.told.has(habit)) return undefined;
		state.told.add(habit);
		return habit;
	}

	private stateOf(node: string): NodeState {
		const known = this.nodes.get(node);
		if (known) return known;
		const [oldest = ''] = this.nodes.keys();
		if (this.nodes.size >= NODES_MAX) this.nodes.delete(oldest);
		const state = { waiting: 0, inARow: { oneAtATime: 0, givesUp: 0 }, told: new Set<Habit>() };
		this.nodes.set(node, state);
		return state;
	}
}
