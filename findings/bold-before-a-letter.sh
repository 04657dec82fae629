#!/bin/sh
# One would guess that **text** is bold wherever it is. If its last sign is punctuation and a letter
# or digit follows at once, as in "**Price:**10", the closing stars can only open, so all stars are
# shown. In Chinese and Japanese, which write no blanks, that is any bold label with its colon. The
# rule is CommonMark's, so three renderers agree. Without the colon, the same text is bold.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts marked@18.2.1 markdown-it@15.0.3 commonmark@0.31.2
cat >run.cjs <<'JS'
const { marked } = require('marked');
const markdownIt = require('markdown-it')();
const { Parser, HtmlRenderer } = require('commonmark');
const renderers = {
	marked: (text) => marked.parse(text),
	'markdown-it': (text) => markdownIt.render(text),
	commonmark: (text) => new HtmlRenderer().render(new Parser().parse(text)),
};
for (const [name, render] of Object.entries(renderers)) {
	console.log(name, require(`./node_modules/${name}/package.json`).version);
	for (const text of ['**Price:**10', '**Price**10', '**重要：**文字', '**重要**文字'])
		console.log(' ', text, '=>', render(text).trim());
}
JS
node run.cjs | tee output
diff output - <<'EXPECTED'
marked 18.2.1
  **Price:**10 => <p>**Price:**10</p>
  **Price**10 => <p><strong>Price</strong>10</p>
  **重要：**文字 => <p>**重要：**文字</p>
  **重要**文字 => <p><strong>重要</strong>文字</p>
markdown-it 15.0.3
  **Price:**10 => <p>**Price:**10</p>
  **Price**10 => <p><strong>Price</strong>10</p>
  **重要：**文字 => <p>**重要：**文字</p>
  **重要**文字 => <p><strong>重要</strong>文字</p>
commonmark 0.31.2
  **Price:**10 => <p>**Price:**10</p>
  **Price**10 => <p><strong>Price</strong>10</p>
  **重要：**文字 => <p>**重要：**文字</p>
  **重要**文字 => <p><strong>重要</strong>文字</p>
EXPECTED
