import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import { capture } from '#scripts/bootstrap/npm.cjs';
import { checkout } from '#scripts/checkout.mts';
import { installHost } from '#scripts/n8n/host.mts';
import { signInOwner } from '#scripts/n8n/owner.mts';
import { packPackage, readManifest, unpackTarball } from '#scripts/n8n/package.mts';
import { freePort } from '#scripts/n8n/processes.mts';
import { CREDENTIAL_TYPE } from '#scripts/n8n/provision.mts';
import { startN8n, type RunningN8n } from '#scripts/n8n/server.mts';
import { findProgram } from '#scripts/system-packages.mts';
import { startNpmRegistry, type NpmRegistry } from '../support/npmRegistry.mts';
import { number } from './harness/conversations.mts';
import { ACTION, byId, Host, hostUnderTest, TRIGGER } from './harness/host.mts';
import { createAccount, Listener } from './harness/listener.mts';
import { ask, reply, submit } from './harness/questions.mts';

/**
 * Installs the package as a user does: by its name, in Settings → Community Nodes, from a registry.
 */
const { name, version } = readManifest(checkout);
const EARLIER = '0.0.1';

const servers = hostUnderTest();
let folder: string;
let registry: NpmRegistry;
let n8n: RunningN8n;
let host: Host;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'business-messaging-installation-'));
	const tarball = await packPackage(folder);
	registry = await startNpmRegistry([await packEarlierVersion(tarball), tarball]);
	const home = join(folder, 'n8n');
	mkdirSync(home);
	n8n = await startN8n({
		host: await installHost(servers.generation),
		home,
		env: {
			PATH: [provideNpm(registry.url), process.env.PATH].join(delimiter),
			// n8n asks its own servers whether the package is banned, and goes on without them. No test
			// contacts them.
			HTTPS_PROXY: `http://127.0.0.1:${await freePort()}`,
			NO_PROXY: '127.0.0.1',
		},
	});
	await signInOwner(n8n);
});

afterAll(async () => {
	await n8n?.kill();
	await registry?.stop();
	rmSync(folder, { recursive: true, force: true });
});

/** The same package with a lower version, as a user has it before an update. */
async function packEarlierVersion(tarball: string): Promise<string> {
	const unpacked = join(folder, 'earlier', 'package');
	await unpackTarball(tarball, unpacked);
	writeFileSync(
		join(unpacked, 'package.json'),
		JSON.stringify({ ...readManifest(unpacked), version: EARLIER }),
	);
	const packed = join(folder, `${name}-${EARLIER}.tgz`);
	const { code, output } = await capture('tar', [
		'-czf',
		packed,
		'-C',
		join(folder, 'earlier'),
		'package',
	]);
	if (code !== 0) throw new Error(output);
	return packed;
}

/**
 * Makes npm use another registry than n8n names, because n8n allows its own setting only with a
 * licence. @returns its folder
 */
function provideNpm(url: string): string {
	const bin = join(folder, 'bin');
	mkdirSync(bin);
	const npm = join(bin, 'npm');
	const script = [
		'#!/bin/sh',
		`for given do shift; case "$given" in --registry=*) given='--registry=${url}';; esac; set -- "$@" "$given"; done`,
		`exec '${findProgram('npm')}' "$@"`,
	];
	writeFileSync(npm, `${script.join('\n')}\n`);
	chmodSync(npm, 0o755);
	return bin;
}

const ownTypes = async (): Promise<string[]> =>
	(await n8n.client.nodeTypes()).filter((type) => type.startsWith(`${name}.`)).sort();

test('Install gets the tarball from the registry, and n8n has both nodes at once', async () => {
	expect(await ownTypes()).toEqual([]);
	const installed = await n8n.client.installCommunityPackage(name, EARLIER);
	expect(installed).toMatchObject({ packageName: name, installedVersion: EARLIER });
	expect(installed.installedNodes.map(({ type }) => type).sort()).toEqual([ACTION, TRIGGER].sort());
	expect(registry.asked).toContain(`/${name}/-/${name}-${EARLIER}.tgz`);
	// n8n makes tools of the action node. n8n 2 makes one more than n8n 1.
	expect(await ownTypes()).toEqual(expect.arrayContaining([ACTION, `${ACTION}Tool`, TRIGGER]));
	const credential = await n8n.client.createCredential(
		'Business Messaging account',
		CREDENTIAL_TYPE,
		{ baseUrl: servers.sandboxUrl, secretKey: DEMO_SECRET_KEY },
	);
	host = new Host({
		...servers,
		n8nUrl: n8n.url,
		session: n8n.client.session,
		folder,
		home: n8n.home,
		credential,
	});
});

test('an update leaves a published workflow, its webhook and a waiting question alone', async () => {
	const { secretKey, channels } = await createAccount(host, ['Updated', 'Asked']);
	const [channel = '', asked = ''] = channels;
	const credential = await host.client.createCredential('Updated', CREDENTIAL_TYPE, {
		baseUrl: servers.sandboxUrl,
		secretKey,
	});
	const own = new Host({ ...host.underTest, credential });
	const customers = { host: own, channelId: asked, secretKey };
	await reply(customers, number(951), 'Hello');
	const question = await ask(customers, number(951), { responseType: 'freeText' });
	const listener = await Listener.create(own, secretKey, channel);
	await host.client.publish(listener.workflow.id);
	const before = await listener.registered(channel);
	await listener.receives(channel);

	const updated = await host.client.updateCommunityPackage(name, version);
	expect(updated.installedVersion).toBe(version);
	const manifest = JSON.parse(
		readFileSync(join(n8n.home, '.n8n', 'nodes', 'node_modules', name, 'package.json'), 'utf8'),
	) as { version: string };
	expect(manifest.version).toBe(version);

	await listener.receives(channel);
	expect(await listener.registered(channel)).toEqual(before);
	const link = await question.link();
	await submit(link, { 'field-0': 'After noon' });
	expect(await question.outcome()).toMatchObject({
		status: 'success',
		items: [{ data: { text: 'After noon' } }],
	});
	await host.sandbox.customerWrites({
		channelId: DEMO_CHANNEL_ID,
		from: number(950),
		name: 'Ana',
		text: 'Hello',
	});
	const { items } = await host.runAction({
		resource: 'message',
		operation: 'sendText',
		channelId: byId(DEMO_CHANNEL_ID),
		recipient: number(950),
		text: 'Hello back',
	});
	expect(items).toEqual([
		expect.objectContaining({ messageId: expect.stringMatching(/^[0-9A-F]{32}$/) as string }),
	]);
	await host.client.unpublish(listener.workflow.id);
	await listener.unregistered(channel);
});

test('Uninstall leaves nothing of the package in n8n', async () => {
	await n8n.client.uninstallCommunityPackage(name);
	expect(await ownTypes()).toEqual([]);
});
