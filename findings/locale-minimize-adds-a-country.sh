#!/bin/sh
# Intl.Locale's minimize() removes likely subtags, so one would guess that its result has no part
# that the locale did not have. zh-Hant, which names no country, becomes zh-TW, and pa-Arab pa-PK:
# a script is replaced by a country, and what then goes by the country treats all of zh-Hant as
# Taiwan's. sr-Latn keeps its script. Node.js and the polyfill of FormatJS do the same.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @formatjs/intl-locale@5.3.12
cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Locale } from '@formatjs/intl-locale';
const { version } = JSON.parse(
	readFileSync('./node_modules/@formatjs/intl-locale/package.json', 'utf8'),
);
console.log('@formatjs/intl-locale', version);
console.error(`Node ${process.version}, ICU ${process.versions.icu}`);
for (const tag of ['zh-Hant', 'pa-Arab', 'sr-Latn'])
	console.log(tag, '=>', `${new Locale(tag).minimize()}`, `${new Intl.Locale(tag).minimize()}`);
JS
node run.mjs | tee output
diff output - <<'EXPECTED'
@formatjs/intl-locale 5.3.12
zh-Hant => zh-TW zh-TW
pa-Arab => pa-PK pa-PK
sr-Latn => sr-Latn sr-Latn
EXPECTED
