/** A map of texts that forgets what was set longest ago once it is full. */
export class BoundedMap<Value> extends Map<string, Value> {
	constructor(private readonly capacity: number) {
		super();
	}

	override set(key: string, value: Value): this {
		this.delete(key);
		super.set(key, value);
		const [oldest] = this.keys();
		if (this.size > this.capacity && oldest !== undefined) this.delete(oldest);
		return this;
	}
}
