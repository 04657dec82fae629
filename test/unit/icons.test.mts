import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { BusinessMessagingTrigger } from '#nodes/BusinessMessagingTrigger.node.ts';

const FOLDER = join(import.meta.dirname, '../../nodes/BusinessMessaging');

test.each([BusinessMessaging, BusinessMessagingTrigger])(
	'%p has its pictures for light and dark',
	(Node) => {
		const { icon } = new Node().description;
		const pictures = typeof icon === 'object' ? Object.values(icon) : [];
		expect(pictures).toHaveLength(2);
		for (const picture of pictures) {
			expect(picture).toMatch(/^file:.+\.svg$/);
			expect(existsSync(join(FOLDER, picture.replace('file:', '')))).toBe(true);
		}
	},
);
