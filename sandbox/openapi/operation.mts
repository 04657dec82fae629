import { z } from 'zod';

import type { ErrorShape } from '../core/errors.mts';

/** A request of the service, for its OpenAPI document. */
export interface OperationDescription {
	method: 'get' | 'post' | 'put' | 'patch' | 'delete';
	/** With its parameters in braces. */
	path: string;
	summary: string;
	shape: ErrorShape;
	/** Whether the account needs the ENTERPRISE role. A text: the error without the role. */
	enterprise?: boolean | string;
	/** The error for a wrong key, if it is not 401 `Unauthorized`. */
	unauthorized?: { status: number; message: string };
	/** The error for an unknown channel, if it is not `Channel not found`. */
	notFound?: string;
	/** Largest body in bytes, for bodies with files. */
	bodyLimit?: number;
	/**
	 * Without the Authorization header, 400 instead of 401. Source: docs/contract.md, template
	 * webhooks.
	 */
	headerRequired?: boolean;
	request?: z.ZodTypeAny;
	/** Of the body. Default: JSON. */
	requestType?: 'multipart/form-data';
	/** The body can be left out. */
	requestOptional?: boolean;
	/** Query parameters. */
	query?: z.AnyZodObject;
	success: { status: number; description: string; body?: z.ZodTypeAny };
	/** Errors besides those that every operation has, each with its shapes if they are others. */
	errors?: Record<number, string | [says: string, ...shapes: z.ZodTypeAny[]]>;
	/** Shapes that these errors can have besides `shape`. */
	otherShapes?: [z.ZodTypeAny, ...z.ZodTypeAny[]];
}

/** How many a page of a list has, as the document says it. */
export const sizeOfPage = ({ max, default: usual }: { max: number; default: number }) =>
	z.number().int().min(1).max(max).default(usual);
