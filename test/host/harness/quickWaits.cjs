/**
 * Loaded into n8n by the tests. n8n checks once a minute for executions whose wait is over, and no
 * setting changes that. Here it checks every second, so tests of time limits are quick.
 */
const MINUTE_MS = 60_000;
const LOOK_MS = 1_000;

const { setInterval } = globalThis;

globalThis.setInterval = /** @type {typeof setInterval} */ (
	(/** @type {() => void} */ work, /** @type {number} */ every, /** @type {unknown[]} */ ...rest) =>
		setInterval(work, every === MINUTE_MS && isOfWaits() ? LOOK_MS : every, ...rest)
);

const isOfWaits = () => new Error().stack?.includes('wait-tracker.js') ?? false;
