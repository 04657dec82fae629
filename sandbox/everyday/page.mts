/** The report as one file without scripts, for a browser or a phone. */
import { escaped } from '../rehearsal/report.mts';
import { linesOf, type Phone } from './played.mts';
import { headingOf, proofOf, type Report, sceneLine, verdictOf } from './report.mts';

const STYLE = `:root{color-scheme:light dark;--back:#f4f4f1;--card:#fff;--ink:#1c2421;--soft:#5b6662;--mine:#d8f0df}
@media(prefers-color-scheme:dark){:root{--back:#121715;--card:#1e2522;--ink:#e6ece9;--soft:#b4c1bb;--mine:#20492f}}*{box-sizing:border-box}
body{margin:0 auto;max-width:44rem;padding:1rem;background:var(--back);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.4rem;line-height:1.3}h2{font-size:1.1rem;margin-top:2rem}h3{font-size:1rem;margin:0 0 .5rem}
section{background:var(--card);border-radius:.75rem;padding:1rem;margin:1rem 0}ul{list-style:none;padding:0}
.chat{display:flex;flex-direction:column;gap:.4rem;padding:0;margin:1rem 0 0}.chat li{max-width:85%;padding:.4rem .7rem;border-radius:.75rem;background:var(--back);white-space:pre-wrap}
.chat .customer{align-self:flex-end;background:var(--mine)}.chat .note{align-self:center;background:none;font-size:.875rem;color:var(--soft);text-align:center}
small{display:block;font-size:.8rem;color:var(--soft)}`;

/** `*Text*` and code, as the advice has them. */
const marked = (text: string): string =>
	escaped(text)
		.replace(/`([^`]+)`/g, '<code>$1</code>')
		.replace(/\*([^*]+)\*/g, '<em>$1</em>');

const phoneOf = (phone: Phone): string => {
	const lines = linesOf(phone).map(
		({ by, time, text }) =>
			`<li class="${by}" dir="auto">${time && `<small>${by === 'customer' ? escaped(phone.name) : by} ${time}</small>`}${escaped(text)}</li>`,
	);
	return `<ul class="chat">${lines.join('')}</ul>`;
};

export function asPage(report: Report): string {
	const { findings, played } = report;
	const found = findings.map(
		(one) =>
			`<section><h3>${marked(headingOf(one))}</h3><p>${marked(one.rule.change)}</p><p><small>${escaped(proofOf(one))}</small></p>${phoneOf(one.seen[0]!.phone)}</section>`,
	);
	const scenes = played.map((one) => `<li>${escaped(sceneLine(one, findings))}</li>`);
	return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Everyday customers</title><style>${STYLE}</style>
<main><h1>${escaped(verdictOf(report))}</h1>
${found.length > 0 ? `<h2>What to change</h2>\n${found.join('\n')}` : ''}
<h2>Scenes</h2><section><ul>${scenes.join('\n')}</ul></section></main>
</html>
`;
}
