import { z } from 'zod';

/** Ids are 32 hexadecimal characters; the service writes them in upper case. Source: description. */
export const ID_PATTERN = /^[0-9a-fA-F]{32}$/;
export const idSchema = z.string().regex(ID_PATTERN, 'must be 32 hexadecimal characters');

/** Error body of connect, send and the channel webhook routes. Source: description, shape A. */
export const errorASchema = z.object({ error: z.number().int(), message: z.string() });

/** Error body of the template webhook routes and of the channel list. Source: description, shape B. */
export const errorBSchema = z.object({ error: z.string() });

/** A text of one character or more. */
export const requiredText = z.string().min(1);
