type Box = HTMLInputElement | HTMLTextAreaElement;

/**
 * Takes what was written out of boxes before it is sent, so that the next can be typed meanwhile.
 * Files go too.
 * @param among the boxes are among these
 * @returns gives it back if it was refused, in front of what was typed meanwhile. Focus and caret
 * stay where they are
 */
export function takeOut(among: Iterable<Element>) {
	const taken = [...among]
		.filter(isBox)
		.map((box) => ({ box, text: box.value, files: filesOf(box) }));
	for (const { box } of taken) {
		box.value = box.defaultValue;
		tell(box);
	}
	return () => {
		for (const { box, text, files } of taken) {
			const isUntouched = box.value === box.defaultValue;
			if (files && isUntouched && box instanceof HTMLInputElement) box.files = files;
			else if (files || text === box.defaultValue) continue;
			else if (isUntouched) box.value = text;
			else box.setRangeText(`${text} `, 0, 0, 'preserve');
			tell(box);
		}
	};
}

const isBox = (element: Element): element is Box =>
	element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

/** A copy, because emptying the box empties its own list. */
function filesOf(box: Box) {
	if (!(box instanceof HTMLInputElement) || !box.files) return undefined;
	const copy = new DataTransfer();
	for (const file of box.files) copy.items.add(file);
	return copy.files;
}

/** As if a person had chosen the file: others depend on it. */
const tell = (box: Box) => box.type === 'file' && box.dispatchEvent(new Event('change'));
