// Not a module, so that it runs before anything is drawn: a dark page never flashes light.
{
	const REMEMBERED = 'sandbox.theme';
	const { dataset } = document.documentElement;

	/** @param theme `light`, `dark`, or empty for the system's */
	const apply = (theme: string) => {
		if (theme) dataset['theme'] = theme;
		else delete dataset['theme'];
	};

	document.addEventListener('DOMContentLoaded', () => {
		const select = document.querySelector<HTMLSelectElement>('#theme');
		if (!select) return;
		select.value = dataset['theme'] ?? '';
		select.addEventListener('change', () => {
			apply(select.value);
			localStorage.setItem(REMEMBERED, select.value);
		});
	});
	apply(localStorage.getItem(REMEMBERED) ?? '');
}
