/** The node's operations of templates in n8n's engine, against the whole sandbox. */
import './environment.mts';
import 'reflect-metadata';

import type { IDataObject } from 'n8n-workflow';

import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { startTestSandbox } from '../../sandbox/helpers.mts';
import { type EngineSettings, runInEngine } from './engine.mts';

export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

type Listed = IDataObject & { id: string; name: string };

export async function startTemplateLife() {
	const sandbox = await startTestSandbox();

	/** @throws Error with the node's message and description */
	async function performAll(
		parameters: IDataObject,
		more: Partial<EngineSettings> = {},
	): Promise<IDataObject[]> {
		const { items, error } = await runInEngine({
			baseUrl: sandbox.url,
			credential: { secretKey: sandbox.secretKey },
			parameters,
			...more,
		});
		if (error) throw new Error(`${error.message} | ${error.description ?? ''}`);
		return items.map(({ json }) => json);
	}

	/** A business by its name, or else the first one. */
	async function business(name?: string) {
		const { body } =
			await sandbox.call<Array<{ businessId: string; name: string }>>('/chatapp/businesses');
		return byId((body.find((one) => one.name === name) ?? body[0]!).businessId);
	}

	return {
		sandbox,
		performAll,
		business,
		perform: async (...given: Parameters<typeof performAll>) => (await performAll(...given))[0]!,
		perTemplate: async (operation: string, more: IDataObject): Promise<IDataObject> => ({
			resource: 'template',
			operation,
			businessId: await business(),
			...more,
		}),
		/** By name. It is sent to the demo's customer. */
		sending: (name: string, more: IDataObject): IDataObject => ({
			...{ resource: 'message', operation: 'sendTemplate', channelId: byId(DEMO_CHANNEL_ID) },
			recipient: '5500000000101',
			template: { __rl: true, mode: 'name', value: name },
			languageCode: 'en_US',
			...more,
		}),
		listed: async (name: string): Promise<Listed | undefined> => {
			const { body } = await sandbox.call<{ data: Listed[] }>(
				`/chatapp/businesses/${(await business()).value}/templates?limit=100`,
			);
			return body.data.find((template) => template.name === name);
		},
		approve: async (id: unknown) =>
			await sandbox.control(`/message-templates/${String(id)}`, {
				method: 'PATCH',
				body: { status: 'APPROVED' },
			}),
		/** @returns the handle of an uploaded file */
		upload: async (type = 'image/png'): Promise<string> => {
			const form = new FormData();
			form.set('type', type);
			form.set('file', new Blob(['a made-up file'], { type }), 'a.png');
			const response = await fetch(
				`${sandbox.url}/chatapp/businesses/${(await business()).value}/templates/media`,
				{ method: 'POST', headers: { authorization: `Bearer ${sandbox.secretKey}` }, body: form },
			);
			return ((await response.json()) as { h: string }).h;
		},
	};
}
