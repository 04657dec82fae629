/** Runs in the page: an expression whose value is what accessibility.mts asks for. Plain JavaScript, as the tests know no DOM. */
({
	/** Texts whose contrast with what is behind them is below what WCAG AA asks for, and a page wider than its window. */
	legibilityProblems() {
		const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
		const parse = (colour) => {
			canvas.clearRect(0, 0, 1, 1);
			canvas.fillStyle = colour;
			canvas.fillRect(0, 0, 1, 1);
			return [...canvas.getImageData(0, 0, 1, 1).data];
		};
		const behind = (element) => {
			for (let current = element; current; current = current.parentElement) {
				const colour = parse(getComputedStyle(current).backgroundColor);
				if (colour[3] > 250) return colour;
			}
			return [255, 255, 255, 255];
		};
		const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
		const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
		const problems = [];
		const sideways = document.documentElement.scrollWidth - window.innerWidth;
		if (sideways > 0) problems.push(`the page is ${sideways}px wider than the window`);
		for (const element of document.querySelectorAll('body *')) {
			const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
			if (!hasText || !element.checkVisibility() || element.closest('.visually-hidden, .skip, :disabled, option')) continue;
			const [text, ground] = [luminance(parse(getComputedStyle(element).color)), luminance(behind(element))];
			const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
			if (contrast < 4.5)
				problems.push(`${contrast.toFixed(2)}: ${element.tagName} ${element.className} "${element.textContent.slice(0, 40)}"`);
		}
		return problems;
	},

	/** What can be clicked or filled in but has no name for a screen reader. */
	namelessControls() {
		return [...document.querySelectorAll('a, button, input, select, audio, [tabindex="0"]')]
			.filter((element) => element.checkVisibility())
			.filter(
				(element) => !element.textContent.trim() && !element.getAttribute('aria-label') && !element.labels?.[0]?.textContent.trim(),
			)
			.map((element) => element.outerHTML.slice(0, 120));
	},

	/** What has the focus, and whether it can be seen to have it; undefined when nothing does. */
	focus() {
		const element = document.activeElement;
		if (!element || element === document.body) return undefined;
		const { outlineStyle, outlineWidth } = getComputedStyle(element);
		const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
		const visible = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
		return { what: `${element.tagName.toLowerCase()} ${name.trim().slice(0, 40)}`, visible };
	},
});
