const LOOK_MS = 1_000;

/**
 * Calls back once when the process that started this one is gone. npm runs a script through a
 * shell, and a signal to npm, for example from a service manager, can end both without reaching the
 * script.
 *
 * @param {() => void} gone
 */
function whenParentEnds(gone) {
	const parent = process.ppid;
	const timer = setInterval(() => {
		if (process.ppid === parent) return;
		clearInterval(timer);
		gone();
	}, LOOK_MS);
	timer.unref();
}

module.exports = { whenParentEnds };
