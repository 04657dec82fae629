import { sendResponseSchema } from '../contract.mts';
import { FACTS, type FactId } from '../facts/catalogue.mts';
import type { Findings } from './findings.mts';
import type { Stop } from './stop.mts';
import type { Answer, Call, CallOptions } from './wire.mts';

/** What a run may do beside reading. */
export const PERMISSIONS = ['sends', 'webhooks', 'channels', 'templates'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The person with the phone. */
export interface Person {
	/**
	 * Asks for something. @param isSeen the probe sees by itself that it was done @returns whether
	 * there is somebody to ask
	 */
	ask: (what: 'write' | 'tap', sentence: string, isSeen: boolean) => Promise<boolean>;
}

/** What a person asks of the probe. */
export interface ProbeOptions {
	/** Base URL without a trailing slash. */
	url: string;
	key: string;
	channelId: string;
	/** In a run, as the service shows it. */
	phone: string | undefined;
	allowed: ReadonlySet<Permission>;
	publicUrl: string | undefined;
	port: number;
	/** Milliseconds. */
	wait: number;
	templatesPath: string;
}

/** What surrounds a run. */
export interface ProbeParts {
	person: Person;
	stop: Stop;
	say: (line: string) => void;
}

/** What every part of a run needs. */
export interface Run extends ProbeOptions, ProbeParts {
	call: Call;
	findings: Findings;
	hasRole: boolean;
	/** Part of the receiver's addresses. */
	token: string;
	/** The credentials of the probe's webhooks. */
	webhookKey: string;
	/** Nobody's key. */
	wrongKey: string;
	/** Nobody's ID. */
	unknownId: string;
	/** Messages that the service accepted. */
	sent: number;
	/** The response to a text before the person wrote. */
	early?: Answer;
	/** The ID of a text whose events count no more. */
	judgedId?: string;
}

export const NO_ROLE = 'the account lacks the ENTERPRISE role';

/** Why a permission is missing. */
export const without = (...options: string[]): string => `needs ${options.join(' and ')}`;

/** A request, and the form of its success. */
type Question = readonly [
	path: string,
	options?: CallOptions,
	isRight?: (body: unknown) => boolean,
];

/** Asks one after another what the response alone answers. */
export async function ask(
	{ call, findings }: Run,
	questions: Partial<Record<FactId, Question>>,
): Promise<void> {
	for (const [key, [path, options, isRight]] of Object.entries(questions)) {
		const id = key as FactId;
		const answer = await call(path, options);
		if (FACTS[id].refusal) findings.refusal(id, answer);
		else findings.success(id, answer, isRight);
	}
}

/** The most messages that a run sends. */
export const MOST_MESSAGES = 12;

export const canSend = ({ allowed, phone }: Run): boolean =>
	allowed.has('sends') && phone !== undefined;

/** A free-form text. */
export const text = (message: string) => ({ type: 'TEXT', body: { message } });

/** The ID of an accepted message. */
export const messageIdIn = (answer: Answer): string | undefined =>
	isSent(answer) ? sendResponseSchema.safeParse(answer.body).data?.messageId : undefined;

export const isSent = ({ status }: Answer): boolean => status < 300;

/** Sends to the phone, and to nobody else. Counts what the service accepts. */
export async function send(run: Run, content: unknown, channelId = run.channelId): Promise<Answer> {
	if (!canSend(run) || run.sent >= MOST_MESSAGES) throw new Error('this run may not send');
	// Without content, the field is left out.
	const body = { recipient: { identifier: run.phone }, content };
	const answer = await run.call(`/v1/channels/${channelId}/messages`, { body });
	if (isSent(answer)) run.sent += 1;
	return answer;
}
