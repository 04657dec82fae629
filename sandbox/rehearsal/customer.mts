/** What a customer of a script does and expects in a step. */
import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';

import type { Customer, Duration, Message } from '../client/index.mts';
import { templateAsked } from '../client/messages.mts';
import { type Chat, inWords, isAsWanted } from './chat.mts';
import { ScriptError } from './parse.mts';
import type { CustomerAction } from './schema.mts';

/** What holds for steps that do not say otherwise. */
export interface StepDefaults {
	/** Folder of the files that customers send. */
	folder: string;
	within: Duration;
	pace: Duration;
	/** Whether the words of the message that an action gets are judged. */
	judges: (action: CustomerAction) => boolean;
}

const MEDIA_TYPES: Record<string, string> = {
	...{ '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.webp': 'image/webp' },
	...{ '.gif': 'image/gif', '.bmp': 'image/bmp', '.tif': 'image/tiff', '.tiff': 'image/tiff' },
	...{ '.ogg': 'audio/ogg', '.mp3': 'audio/mpeg', '.m4a': 'audio/mp4', '.aac': 'audio/aac' },
	...{ '.amr': 'audio/amr', '.opus': 'audio/opus', '.wav': 'audio/wav', '.flac': 'audio/flac' },
	...{ '.mp4': 'video/mp4', '.3gp': 'video/3gpp', '.mov': 'video/quicktime' },
	...{ '.mkv': 'video/x-matroska', '.avi': 'video/x-msvideo' },
};

/** Whether an action gets a message, apart from words that are judged. */
export function takes(action: CustomerAction, message: Message): boolean {
	if (action.gets) return isAsWanted(message, action.gets, action.buttons);
	return (
		action.getsTemplate !== undefined && templateAsked(action.getsTemplate, action).isIt(message)
	);
}

/** @returns false if something expected did not come */
export async function playCustomer(
	chat: Chat,
	action: CustomerAction,
	defaults: StepDefaults,
	line: number,
): Promise<boolean> {
	const { within = defaults.within, buttons } = action;
	const isWanted = (message: Message) => takes(action, message);
	if (action.gets) {
		const pattern = action.gets;
		const message = await chat.gets(inWords(pattern, buttons), isWanted, within, line);
		if (message && defaults.judges(action)) chat.toJudge.push({ message, pattern, line });
		return message !== undefined;
	}
	if (action.getsTemplate !== undefined) {
		const { what } = templateAsked(action.getsTemplate, action);
		return (await chat.gets(what, isWanted, within, line)) !== undefined;
	}
	if (action.getsNothing !== undefined) return await chat.getsNothing(action.getsNothing, line);
	if (action.isRefused) return await chat.isRefused(within, line);
	if (action.taps !== undefined) return await chat.taps(action.taps, within, line);
	if (action.reads) await chat.customer.read();
	else if (action.closesWindow) await chat.customer.closeWindow();
	else await say(chat, action, defaults);
	return true;
}

/** The customer writes, or sends something else, after a moment to read what came. */
async function say(chat: Chat, action: CustomerAction, defaults: StepDefaults): Promise<void> {
	const { customer } = chat;
	// A button is tapped at once: the tap names its message.
	if (action.sends?.type !== 'BUTTON_REPLY') await chat.takesTime(action.pace ?? defaults.pace);
	if (action.writes !== undefined) await customer.write(action.writes);
	else if (action.sends) await customer.send(action.sends);
	else if (action.sendsFile !== undefined)
		await sendFile(customer, resolve(defaults.folder, action.sendsFile), action);
}

async function sendFile(
	customer: Customer,
	file: string,
	{ sendsFile, as, caption }: CustomerAction,
): Promise<void> {
	const type = MEDIA_TYPES[extname(file).toLowerCase()];
	if (type === undefined)
		throw new ScriptError(
			`${sendsFile} has a type that cannot be sent. Types that can: ${Object.keys(MEDIA_TYPES).join(', ')}`,
		);
	const bytes = await readFile(file);
	await customer.sendFile(new Blob([bytes], { type }), {
		...(as === undefined ? {} : { as }),
		...(caption === undefined ? {} : { caption }),
	});
}
