/** When the user gave the command, for the programs that it starts. */
const NAME = 'BUSINESS_MESSAGING_BEGAN';

/** Tells the programs that this process starts that the command began with it. */
function beginCommand() {
	process.env[NAME] = String(performance.timeOrigin);
}

/** @returns {number} whole seconds, with what was installed and built meanwhile */
const secondsSinceCommand = () =>
	Math.round((Date.now() - Number(process.env[NAME] ?? performance.timeOrigin)) / 1000);

module.exports = { beginCommand, secondsSinceCommand };
