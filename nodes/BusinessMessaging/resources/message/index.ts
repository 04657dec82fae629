import { operationField } from '../shared/operation';
import { sendAndWait } from './sendAndWait';
import { sendText } from './sendText';

export const operations = { sendAndWait, sendText };

export const fields = [operationField('message', Object.values(operations), 'sendText'), ...Object.values(operations).flatMap((operation) => operation.fields)];
