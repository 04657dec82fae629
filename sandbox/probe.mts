/** `npm run probe`: `business-messaging-sandbox probe` from this repository. */
import { probe } from './cli/probe.mts';

process.exitCode = await probe(process.argv.slice(2));
