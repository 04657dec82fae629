import { operationField } from '../shared/operation';
import { sendText } from './sendText';

export const operations = { sendText };

export const fields = [operationField('message', Object.values(operations), 'sendText'), ...Object.values(operations).flatMap((operation) => operation.fields)];
