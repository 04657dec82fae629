/** What a customer of a script does and expects in a step. */
import type { Duration, Message } from '../client/index.mts';
import { templateAsked } from '../client/messages.mts';
import { type Chat, inWords, isAsWanted } from './chat.mts';
import { fileBelow } from './files.mts';
import type { CustomerAction } from './schema.mts';

/** What holds for steps that do not say otherwise. */
export interface StepDefaults {
	/** Folder of the files that customers send. */
	folder: string;
	within: Duration;
	pace: Duration;
}

/** @returns false if something expected did not come */
export async function playCustomer(
	chat: Chat,
	action: CustomerAction,
	defaults: StepDefaults,
	line: number,
): Promise<boolean> {
	const { within = defaults.within, buttons, gets } = action;
	if (gets) {
		const isWanted = (message: Message) => isAsWanted(message, gets, buttons);
		return await chat.gets(inWords(gets, buttons), isWanted, within, line);
	}
	if (action.getsTemplate !== undefined) {
		const { what, isIt } = templateAsked(action.getsTemplate, action);
		return await chat.gets(what, isIt, within, line);
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
	else if (action.sendsFile !== undefined) {
		const { as, caption } = action;
		await customer.sendFile(await fileBelow(defaults.folder, action.sendsFile), {
			...(as === undefined ? {} : { as }),
			...(caption === undefined ? {} : { caption }),
		});
	}
}
