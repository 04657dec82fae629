/** Values that a test needs and does not choose. */

export const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';
export const OTHER_CHANNEL = '019E4C54B1B375A28970B605CA9B03C4';
export const WEBHOOK = '019E4C54B1B375A28970B605CA9B0AAA';
export const WEBHOOK_SECRET = 'a1'.repeat(32);
/** Of a question's link, as n8n signs it. */
export const URL_SIGNATURE = 'f'.repeat(64);
export const BASE_URL = 'https://api.messaging.example';
export const SECRET_KEY = 'sk-test-0123456789';

/** An ID as the editor stores it. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });
