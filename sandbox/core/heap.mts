/** A binary heap: the smallest by `compare` comes first. */
export class Heap<T> {
	readonly #items: T[] = [];
	readonly #compare: (left: T, right: T) => number;

	constructor(compare: (left: T, right: T) => number) {
		this.#compare = compare;
	}

	get size(): number {
		return this.#items.length;
	}

	peek(): T | undefined {
		return this.#items[0];
	}

	push(item: T): void {
		this.#items.push(item);
		this.#rise(this.#items.length - 1);
	}

	pop(): T | undefined {
		return this.removeAt(0);
	}

	/** Removes the item at a place of the heap's own order: 0 is the smallest, the others are in no useful order. */
	removeAt(index: number): T | undefined {
		const removed = this.#items[index];
		const last = this.#items.pop();
		if (index < this.#items.length && last !== undefined) {
			this.#items[index] = last;
			this.#sink(index);
			this.#rise(index);
		}
		return removed;
	}

	remove(matches: (item: T) => boolean): T | undefined {
		const index = this.#items.findIndex(matches);
		return index < 0 ? undefined : this.removeAt(index);
	}

	#rise(start: number): void {
		let index = start;
		while (index > 0) {
			const parent = (index - 1) >> 1;
			if (this.#compare(this.#items[index]!, this.#items[parent]!) >= 0) return;
			this.#swap(index, parent);
			index = parent;
		}
	}

	#sink(start: number): void {
		let index = start;
		for (;;) {
			const children = [2 * index + 1, 2 * index + 2].filter((child) => child < this.#items.length);
			const smallest = children.reduce(
				(best, child) => (this.#compare(this.#items[child]!, this.#items[best]!) < 0 ? child : best),
				index,
			);
			if (smallest === index) return;
			this.#swap(index, smallest);
			index = smallest;
		}
	}

	#swap(left: number, right: number): void {
		const item = this.#items[left]!;
		this.#items[left] = this.#items[right]!;
		this.#items[right] = item;
	}
}
