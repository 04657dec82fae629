import { operationField } from '../shared/operation';
import { connect } from './connect';
import { create } from './create';
import { getAll } from './getAll';

export const operations = { connect, create, getAll };

export const fields = [operationField('channel', Object.values(operations), 'connect'), ...Object.values(operations).flatMap((operation) => operation.fields)];
