#!/bin/sh
# One would guess that a file's ending survives the way to its media type and back. mime-types reads
# mp3 as audio/mpeg, and the ending of audio/mpeg is "mpga"; mov becomes "qt", and ogg "oga".
# Programs that name a download by its type give people endings that their players do not know.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts mime-types@3.0.2
cat >run.cjs <<'JS'
const mime = require('mime-types');
console.log('mime-types', require('./node_modules/mime-types/package.json').version);
for (const ending of ['mp3', 'mov', 'ogg', 'webm', 'jpeg', 'mpg'])
	console.log(ending, '=>', mime.lookup(ending), '=>', mime.extension(mime.lookup(ending)));
JS
node run.cjs | tee output
diff output - <<'EXPECTED'
mime-types 3.0.2
mp3 => audio/mpeg => mpga
mov => video/quicktime => qt
ogg => audio/ogg => oga
webm => video/webm => webm
jpeg => image/jpeg => jpg
mpg => video/mpeg => mpeg
EXPECTED
