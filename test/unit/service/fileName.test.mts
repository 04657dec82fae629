import {
	fileNameOfDisposition,
	fileNameOfUrl,
	mimeTypeOf,
	safeFileName,
} from '#nodes/service/fileName.ts';

test.each([
	['photo.jpg', 'photo.jpg'],
	['../../etc/passwd', 'passwd'],
	['C:\\Windows\\system32\\a.dll', 'a.dll'],
	['/', undefined],
	['..', undefined],
	[' . ', undefined],
	['', undefined],
	[7, undefined],
	['.bashrc', 'bashrc'],
	['report.pdf. ', 'report.pdf'],
	['a\0b\r\nc.txt', 'abc.txt'],
	['invoice\u202Efdp.exe', 'invoicefdp.exe'],
	['\ud800lone.png', 'lone.png'],
	['a<b>:"c|d?e*.txt', 'a_b___c_d_e_.txt'],
	['Größe 尺寸.png', 'Größe 尺寸.png'],
	['a\ufffdb.txt', 'a\ufffdb.txt'],
])('stores %j as %j', (given, stored) => {
	expect(safeFileName(given)).toBe(stored);
});

test.each(['x', 'é', '尺', '😀'])(
	'cuts a name of many %s at 200 bytes, and keeps its extension',
	(sign) => {
		const bytesOf = (name: string) => Buffer.byteLength(safeFileName(name) ?? '');
		const long = `${sign.repeat(1000)}.jpeg`;
		expect(bytesOf(long)).toBeLessThanOrEqual(200);
		expect(bytesOf(long)).toBeGreaterThan(180);
		expect(safeFileName(long)).toMatch(new RegExp(`${sign}[.]jpeg$`, 'u'));
		expect(bytesOf(`a.${sign.repeat(1000)}`)).toBeLessThanOrEqual(20);
	},
);

test.each([
	['attachment; filename="a b.pdf"', 'a b.pdf'],
	['attachment; filename=a.pdf; size=3', 'a.pdf'],
	['inline; filename="plain.txt"; filename*=UTF-8\'\'gr%C3%B6%C3%9Fe.txt', 'größe.txt'],
	["attachment; filename*=UTF-8'en'..%2F..%2Fa.txt", 'a.txt'],
	["attachment; filename*=UTF-8''100%.txt", '100%.txt'],
	['attachment; filename="../a.txt"', 'a.txt'],
	['attachment', undefined],
	[undefined, undefined],
])('Content-Disposition %j names %j', (header, name) => {
	expect(fileNameOfDisposition(header)).toBe(name);
});

test.each([
	['https://files.example/a/photo%20one.jpg?signature=s#x', 'photo one.jpg'],
	['https://files.example/a%2Fb.jpg', 'b.jpg'],
	['https://files.example/%E0%A4%A', '%E0%A4%A'],
	['https://files.example/100%/photo%20one.jpg', 'photo one.jpg'],
	['https://files.example/a/', undefined],
	['https://files.example', undefined],
])('%s names %j', (url, name) => {
	expect(fileNameOfUrl(new URL(url))).toBe(name);
});

test.each([
	['image/jpeg', 'image/jpeg'],
	['Audio/OGG; codecs=opus', 'audio/ogg'],
	[' audio/ogg ; codecs=opus', 'audio/ogg'],
	['application/vnd.ms-excel', 'application/vnd.ms-excel'],
	['image', undefined],
	['a/b/c', undefined],
	['text/html<script>', undefined],
	[`a/${'b'.repeat(125)}`, `a/${'b'.repeat(125)}`],
	[`a/${'b'.repeat(126)}`, undefined],
	[undefined, undefined],
])('reads %j as the type %j', (given, type) => {
	expect(mimeTypeOf(given)).toBe(type);
});
