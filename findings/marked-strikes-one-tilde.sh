#!/bin/sh
# A renderer of Markdown strikes text out between two tildes. With one tilde, as people write ranges
# of numbers, one would expect the text as it is: so do CommonMark's own renderer and markdown-it.
# marked strikes out what is between the tildes of two ranges: "9~12h and 14~18h" shows 12h as gone.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts marked@18.2.1 markdown-it@15.0.3
cat >run.cjs <<'JS'
const { marked } = require('marked');
const markdownIt = require('markdown-it')();
const text = 'Open 9~12h and 14~18h';
for (const name of ['marked', 'markdown-it'])
	console.log(name, require(`./node_modules/${name}/package.json`).version);
console.log('marked:     ', marked.parse(text).trim());
console.log('markdown-it:', markdownIt.render(text).trim());
JS
node run.cjs | tee output
diff output - <<'EXPECTED'
marked 18.2.1
markdown-it 15.0.3
marked:      <p>Open 9<del>12h and 14</del>18h</p>
markdown-it: <p>Open 9~12h and 14~18h</p>
EXPECTED
