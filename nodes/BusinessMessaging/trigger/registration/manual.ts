import type { IDataObject, JsonValue } from 'n8n-workflow';

import { readTemplateEvent } from '../../delivery/event/templateEvent';
import { isSameId, type Webhook } from '../../service/contract';
import type { WebhookOwner } from '../../service/webhooks';
import { asPlainObject } from '../../service/parseJson';
import { RegistrationError } from '../registrationError';

/** How to check deliveries of a webhook that was registered by hand. */
export function readManualProof({ webhookSecret, webhookToken }: IDataObject) {
	return {
		/** Several while one replaces the other. The field separates them by spaces. */
		secrets:
			typeof webhookSecret === 'string'
				? webhookSecret.split(/\s+/).filter((secret) => secret !== '')
				: [],
		token: typeof webhookToken === 'string' ? webhookToken.trim() : '',
	};
}

/** @throws RegistrationError if a person's webhook is missing, disabled or lacks events */
export function checkManualRegistration(
	listed: readonly Webhook[],
	url: string,
	events: readonly string[],
	owner: WebhookOwner,
): void {
	const where = owner.kind === 'channel' ? 'this channel' : 'the account, as a template webhook';
	const matching = listed.filter((webhook) => webhook.url === url);
	if (matching.length === 0) {
		const hidden =
			owner.kind === 'template'
				? ', or enable it, because the service lists only enabled template webhooks'
				: '';
		throw new RegistrationError(
			`No webhook with the URL ${url} is registered on ${where}`,
			`Register exactly this URL in the service's dashboard with the events ${events.join(', ')}${hidden}, and publish again.`,
		);
	}
	const enabled = matching.filter(({ status }) => status === 'ENABLED');
	if (enabled.length === 0) {
		throw new RegistrationError(
			`The webhook with the URL ${url} is disabled`,
			"Enable it in the service's dashboard, and publish again.",
		);
	}
	const registered = new Set(enabled.flatMap((webhook) => webhook.events));
	const missing = events.filter((event) => !registered.has(event));
	if (missing.length > 0) {
		throw new RegistrationError(
			`The webhook with the URL ${url} does not deliver ${missing.join(', ')}`,
			"Add these events to it in the service's dashboard, or remove them from this node, and publish again.",
		);
	}
}

/**
 * Whether a body names another trigger's channel or source. Triggers that share a credential share
 * its proofs, so each would start for the events of the others. A body without a name passes.
 */
export const isForAnother = (body: JsonValue, owner: WebhookOwner): boolean =>
	(Array.isArray(body) ? body : [body]).some((element) => {
		const channelId = namedChannel(element);
		if (channelId !== undefined)
			return owner.kind === 'template' || !isSameId(channelId, owner.channelId);
		return owner.kind === 'channel' && readTemplateEvent(element) !== undefined;
	});

function namedChannel(element: JsonValue): string | undefined {
	const { message } = asPlainObject(element);
	const { channel_id: channelId } = asPlainObject(message);
	return typeof channelId === 'string' ? channelId : undefined;
}

/** @throws RegistrationError if nothing can prove a delivery: anyone could start the workflow */
export function requireManualProof({ secrets, token }: ReturnType<typeof readManualProof>): void {
	if (secrets.length > 0 || token !== '') return;
	throw new RegistrationError(
		'Deliveries of a webhook registered by hand cannot be checked: the credential holds neither a signing secret nor a token',
		'Enter the Webhook Secret, or the Webhook Token, in the credential, and publish again.',
	);
}
