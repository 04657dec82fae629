/**
 * The folder for large downloads that outlive a checkout: Node.js 24 and the installed n8n
 * versions. An entry is built in a temporary folder and then renamed, so a folder with an entry's
 * name is complete.
 */
const { randomBytes } = require('node:crypto');
const {
	existsSync,
	mkdirSync,
	readFileSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} = require('node:fs');
const { mkdir, rename, rm, statfs } = require('node:fs/promises');
const { homedir, hostname } = require('node:os');
const { join, resolve } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');

const { ExplainedError } = require('./explained.cjs');

const CACHE_VARIABLE = 'BUSINESS_MESSAGING_CACHE';

const LOCK_REFRESH_MS = 2_000;
/** A lock this old has no living owner, who would refresh it fifteen times as often. */
const LOCK_STALE_MS = 30_000;
const GIGABYTE = 1024 ** 3;

/** @returns {string} the cache folder, which may not exist yet */
function cacheRoot() {
	const chosen = process.env[CACHE_VARIABLE];
	if (chosen) return resolve(chosen);
	return join(
		process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
		'n8n-nodes-business-messaging',
	);
}

/**
 * Returns the folder of a cache entry, and builds it first if it is missing. Other processes that
 * want it wait.
 *
 * @param {string} name the entry's folder name, which must change with its contents
 * @param {{ gigabytes: number, what: string, build: (folder: string) => Promise<void> }} recipe
 * `build` fills an empty folder; `what` names
 *   the entry in messages; `gigabytes` is the free space that building needs
 * @returns {Promise<string>} the entry's folder
 */
async function cacheEntry(name, { gigabytes, what, build }) {
	const root = cacheRoot();
	const target = join(root, name);
	if (existsSync(target)) return target;
	await mkdir(root, { recursive: true });
	return await withLock(
		join(root, `${name}.lock`),
		`another run to finish installing ${what}`,
		async () => {
			if (existsSync(target)) return target;
			removeAbandoned(root, name);
			await requireSpace(root, gigabytes, what);
			const temporary = join(
				root,
				`${name}.building-${process.pid}-${randomBytes(4).toString('hex')}`,
			);
			await mkdir(temporary);
			try {
				await build(temporary);
				await rename(temporary, target);
			} catch (error) {
				await rm(temporary, { recursive: true, force: true });
				if (!existsSync(target)) throw error;
			}
			return target;
		},
	);
}

/**
 * Runs `work` while holding a lock file. The lock only saves a second process the same work; the
 * rename keeps an entry complete. So a lock whose owner died may be taken over.
 *
 * @template T
 * @param {string} lock path of the lock file
 * @param {string} waitingFor printed once if there is something to wait for
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withLock(lock, waitingFor, work) {
	for (let told = false; !tryLock(lock);) {
		if (!told) console.log(`Waiting for ${waitingFor} ...`);
		told = true;
		await sleep(500);
	}
	const refresh = setInterval(() => touch(lock), LOCK_REFRESH_MS);
	try {
		return await work();
	} finally {
		clearInterval(refresh);
		rmSync(lock, { force: true });
	}
}

/** @param {string} lock @returns {boolean} */
function tryLock(lock) {
	try {
		writeFileSync(lock, `${hostname()} ${process.pid}\n`, { flag: 'wx' });
		return true;
	} catch (error) {
		if (!isCode(error, 'EEXIST')) throw error;
	}
	if (!isAbandoned(lock)) return false;
	// Renamed before it is removed, so that only one process gets a stale lock and no fresh lock is
	// removed.
	const taken = `${lock}.stale-${process.pid}`;
	try {
		renameSync(lock, taken);
		rmSync(taken, { force: true });
	} catch (error) {
		if (!isCode(error, 'ENOENT')) throw error;
	}
	return tryLock(lock);
}

/** @param {string} lock */
function touch(lock) {
	const now = new Date();
	try {
		utimesSync(lock, now, now);
	} catch (error) {
		if (!isCode(error, 'ENOENT')) throw error;
	}
}

/**
 * Whether a lock's owner has ended: it stopped refreshing, or its process on this machine is gone.
 *
 * @param {string} lock
 */
function isAbandoned(lock) {
	try {
		if (Date.now() - statSync(lock).mtimeMs >= LOCK_STALE_MS) return true;
		const [host, pid] = readFileSync(lock, 'utf8').trim().split(' ');
		return host === hostname() && !process.kill(Number(pid), 0);
	} catch (error) {
		if (isCode(error, 'ENOENT')) return false;
		return isCode(error, 'ESRCH');
	}
}

/**
 * Removes what an interrupted build of this entry left. We now hold its owner's lock, so the owner
 * is gone.
 *
 * @param {string} root
 * @param {string} name
 */
function removeAbandoned(root, name) {
	mkdirSync(root, { recursive: true });
	for (const left of readdirSync(root)) {
		if (left.startsWith(`${name}.building-`))
			rmSync(join(root, left), { recursive: true, force: true });
	}
}

/** @param {string} folder @param {number} gigabytes @param {string} what */
async function requireSpace(folder, gigabytes, what) {
	const { bavail, bsize } = await statfs(folder);
	const free = (bavail * bsize) / GIGABYTE;
	if (free >= gigabytes) return;
	throw new ExplainedError(
		`Installing ${what} needs ${gigabytes} GB of free disk space, and ${folder} has ${free.toFixed(1)} GB. ` +
			`Free some space, or set ${CACHE_VARIABLE} to a folder on another disk.`,
	);
}

/**
 * Whether this is Node.js's error with that code. Not by `instanceof`, because Jest has another
 * realm.
 *
 * @param {unknown} error
 * @param {string} code
 */
function isCode(error, code) {
	return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

module.exports = { CACHE_VARIABLE, cacheRoot, cacheEntry, withLock, isCode };
