// No module, so that it runs before anything is drawn: a page that was left dark is never light for a moment.
{
	const REMEMBERED = 'sandbox.look';
	const { dataset } = document.documentElement;

	/** @param {string} look `light`, `dark`, or empty: that of the system */
	const apply = (look) => {
		if (look) dataset['look'] = look;
		else delete dataset['look'];
	};

	document.addEventListener('DOMContentLoaded', () => {
		const select = /** @type {HTMLSelectElement | null} */ (document.querySelector('#look'));
		if (!select) return;
		select.value = dataset['look'] ?? '';
		select.addEventListener('change', () => {
			apply(select.value);
			localStorage.setItem(REMEMBERED, select.value);
		});
	});
	apply(localStorage.getItem(REMEMBERED) ?? '');
}
