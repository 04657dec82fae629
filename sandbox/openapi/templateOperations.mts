import { z } from 'zod';

import {
	LISTED_STATUSES,
	DEFAULT_TEMPLATES_PATH,
	errorASchema,
	errorBSchema,
	TEMPLATE_LIMITS,
	TEMPLATE_PAGE_SIZE,
	templateFileSchema,
} from '../contract.mts';
import { mimeTypeSchema, templateSchema } from '../store/templateForm.mts';
import { type OperationDescription, sizeOfPage } from './operation.mts';
import * as responses from './responses.mts';

const business = `${DEFAULT_TEMPLATES_PATH}/{businessId}`;

const refusals = (says: string): OperationDescription['errors'] => ({
	422: [says, responses.templateErrorD],
});
const malformed: OperationDescription['errors'] = {
	400: ['The body is not of the form', errorASchema, errorBSchema, responses.errorBWithValue],
};
const noBusiness = refusals('The account has no such business account');

/** The operations on business accounts and their templates. */
export const templateOperations = {
	listBusinesses: {
		method: 'get',
		path: DEFAULT_TEMPLATES_PATH,
		summary: 'List the business accounts of the tenant',
		shape: 'A',
		success: { status: 200, description: 'The accounts', body: responses.businesses },
	},
	listTemplates: {
		method: 'get',
		path: `${DEFAULT_TEMPLATES_PATH}/{businessId}/templates`,
		summary: 'List the templates of a business account, a page at a time',
		shape: 'A',
		query: z
			.object({
				limit: sizeOfPage(TEMPLATE_PAGE_SIZE),
				status: z.enum(LISTED_STATUSES),
				after: z.string(),
				before: z.string(),
			})
			.partial(),
		success: { status: 200, description: 'A page of templates', body: responses.templatePage },
		errors: refusals(
			'The account has no such business account, or a query parameter is not acceptable',
		),
	},
	createTemplate: {
		...{ method: 'post', path: `${business}/templates`, shape: 'A', enterprise: false },
		summary: 'Submit a template for review, or create one from the library',
		request: templateSchema,
		success: { status: 200, description: 'Its id and status', body: responses.templateCreated },
		errors: {
			...malformed,
			...refusals('The template is against the rules, its name is taken, or the limit is reached'),
		},
	},
	updateTemplate: {
		...{ method: 'put', path: `${business}/templates/{templateId}`, shape: 'A', enterprise: false },
		summary: 'Replace the contents of a template, which goes to review again',
		request: templateSchema,
		success: { status: 200, description: 'Submitted', body: responses.templateDone },
		errors: {
			...malformed,
			...refusals('The template is against the rules, or was changed too recently'),
		},
	},
	deleteTemplate: {
		...{ method: 'delete', path: `${business}/templates/{templateId}`, shape: 'A' },
		enterprise: false,
		summary: 'Delete a template, or with its name all its languages. Names stay taken for 30 days',
		query: z.object({ name: z.string().optional() }),
		success: { status: 200, description: 'Deleted', body: responses.templateDone },
		errors: refusals('There is no such template of this name'),
	},
	syncTemplates: {
		...{ method: 'post', path: `${business}/templates/sync`, shape: 'A', enterprise: false },
		summary: 'Read the templates of a business anew from the chat application',
		success: { status: 200, description: 'The first templates', body: responses.templatesSynced },
		errors: noBusiness,
	},
	uploadTemplateFile: {
		...{ method: 'post', path: `${business}/templates/media`, shape: 'A', enterprise: false },
		summary: "Upload the example of a header's file, as a form with file and type",
		bodyLimit: TEMPLATE_LIMITS.file,
		request: z.object({ file: z.string().describe('The file'), type: mimeTypeSchema }),
		requestType: 'multipart/form-data',
		success: { status: 200, description: 'Its handle', body: templateFileSchema },
		errors: {
			422: [
				'No such business account, or MISSING_APP_CREDENTIALS',
				...[errorASchema, responses.templateErrorD],
			],
			502: ['UPLOAD_REFUSED by the chat application, or CONFIG_UNREACHABLE', errorASchema],
		},
	},
	listTemplateLibrary: {
		...{ method: 'get', path: `${business}/template-library`, shape: 'A', enterprise: false },
		summary: 'List the templates of the library',
		success: { status: 200, description: 'The templates', body: responses.templateLibrary },
		errors: noBusiness,
	},
} satisfies Record<string, OperationDescription>;
