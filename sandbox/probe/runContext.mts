import type { Answer } from './answer.mts';
import type { Findings } from './findings.mts';
import type { Stop } from './stop.mts';
import type { Wire } from './wire.mts';

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

/** What every part of a run needs. */
export interface Run extends ProbeOptions {
	wire: Wire;
	findings: Findings;
	person: Person;
	stop: Stop;
	say: (line: string) => void;
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
	/** The refusal of a text before the person wrote. */
	early?: Answer;
	/** Whether that text was accepted instead. */
	isEarlyAccepted?: boolean;
	/** The ID of a text whose events count no more. */
	judgedId?: string;
	/** What could not be removed. */
	left?: string[];
}

export const NO_ROLE = 'the account lacks the ENTERPRISE role';

/** Why a permission is missing. */
export const without = (...options: string[]): string => `needs ${options.join(' and ')}`;
