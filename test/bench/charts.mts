/** Curves on logarithmic axes as SVG, by hand: readable on GitHub's light and dark pages. */
import type { Point } from './statistics.mts';

export interface Curve {
	name: string;
	/** Such as "s". */
	unit: string;
	points: Point[];
}

export interface Chart {
	title: string;
	/** What grows. */
	axis: string;
	curves: Curve[];
}

const PANEL = { width: 380, height: 260, left: 64, top: 44, right: 36, bottom: 44 };

/**
 * GitHub's own colours; the picture brings its ground along, so that it does not depend on the
 * page's.
 */
const STYLE = [
	'text{font:12px system-ui,sans-serif;fill:#1f2328}',
	'.ground{fill:#fff}.grid{stroke:#d1d9e0;stroke-width:1}.curve{fill:none;stroke:#0969da;stroke-width:2}.point{fill:#0969da}',
	'.linear{fill:none;stroke:#59636e;stroke-width:1;stroke-dasharray:4 4}.minor{fill:#59636e}',
	'@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.ground{fill:#0d1117}.grid{stroke:#3d444d}.curve{stroke:#4493f8}.point{fill:#4493f8}',
	'.linear{stroke:#9198a1}.minor{fill:#9198a1}}',
].join('');

const decadesAround = (values: number[]) => {
	const low = Math.floor(Math.log10(Math.min(...values)));
	return { low, high: Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)))) };
};

/** `0.001`, `1`, `10,000`. */
const label = (exponent: number) =>
	exponent < 0 ? (10 ** exponent).toFixed(-exponent) : (10 ** exponent).toLocaleString('en');

const coordinate = (value: number) => value.toFixed(1);

/**
 * One curve with its axes. The dashed line through the last point is what linear growth would look
 * like.
 */
function panel({ name, unit, points }: Curve, axis: string, offset: number): string {
	const { width, height, left, top, right, bottom } = PANEL;
	const across = decadesAround(points.map(({ x }) => x));
	const up = decadesAround(points.map(({ y }) => y));
	const xOf = (exponent: number) =>
		left + ((exponent - across.low) / (across.high - across.low)) * (width - left - right);
	const yOf = (exponent: number) =>
		height - bottom - ((exponent - up.low) / (up.high - up.low)) * (height - top - bottom);
	const at = ({ x, y }: Point) => [xOf(Math.log10(x)), yOf(Math.log10(y))] as const;
	const parts = [`<text x="${left}" y="${top - 14}">${name}, ${unit}</text>`];
	for (let exponent = across.low; exponent <= across.high; exponent += 1) {
		const x = coordinate(xOf(exponent));
		parts.push(`<line class="grid" x1="${x}" y1="${top}" x2="${x}" y2="${height - bottom}"/>`);
		parts.push(
			`<text class="minor" x="${x}" y="${height - bottom + 18}" text-anchor="middle">${label(exponent)}</text>`,
		);
	}
	for (let exponent = up.low; exponent <= up.high; exponent += 1) {
		const y = coordinate(yOf(exponent));
		parts.push(`<line class="grid" x1="${left}" y1="${y}" x2="${width - right}" y2="${y}"/>`);
		parts.push(
			`<text class="minor" x="${left - 8}" y="${Number(y) + 4}" text-anchor="end">${label(exponent)}</text>`,
		);
	}
	parts.push(
		`<text class="minor" x="${(left + width - right) / 2}" y="${height - 8}" text-anchor="middle">${axis}</text>`,
	);

	const last = points.at(-1)!;
	// Down to where it leaves the picture, on the left or below.
	const decades = Math.min(Math.log10(last.x) - across.low, Math.log10(last.y) - up.low);
	const linear = [at({ x: last.x / 10 ** decades, y: last.y / 10 ** decades }), at(last)];
	const path = (line: ReadonlyArray<readonly [number, number]>) =>
		line.map(([x, y]) => `${coordinate(x)},${coordinate(y)}`).join(' ');
	parts.push(
		`<polyline class="linear" points="${path(linear)}"/>`,
		`<polyline class="curve" points="${path(points.map(at))}"/>`,
	);
	for (const [x, y] of points.map(at))
		parts.push(`<circle class="point" cx="${coordinate(x)}" cy="${coordinate(y)}" r="3"/>`);
	return `<g transform="translate(${offset},0)">${parts.join('')}</g>`;
}

/** Every curve in a panel of its own, side by side. */
export function drawChart({ title, axis, curves }: Chart): string {
	const width = PANEL.width * curves.length;
	const panels = curves.map((curve, index) => panel(curve, axis, index * PANEL.width));
	const ground = `<rect class="ground" width="${width}" height="${PANEL.height}"/>`;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${PANEL.height}" role="img" aria-label="${title}"><style>${STYLE}</style>${ground}${panels.join('')}</svg>\n`;
}
