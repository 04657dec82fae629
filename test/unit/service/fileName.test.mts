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
	['attachment; filename="../a.txt"', 'a.txt'],
	['attachment; filename="rates.pdf";', 'rates.pdf'],
	['attachment; filename=trains,trams', 'trains,trams'],
	['attachment; filename=total/; size=3', undefined],
	['attachment; filename=one; filename=two', 'one'],
	['attachment; filename="one"; filename="two"', 'one'],
	['; filename="plans.pdf"', 'plans.pdf'],
	['attachment; FILENAME="plans.pdf"', 'plans.pdf'],
	['attachment; filename="the \\"plans\\".pdf"', 'the _plans_.pdf'],
	['attachment; filename="p\\lans.pdf"', 'plans.pdf'],
	['attachment; filename="\\\\plans.pdf"', 'plans.pdf'],
	['attachment;filename="plans.pdf" \t;    \t\t size=3', 'plans.pdf'],
	['attachment; filename =plans.pdf', 'plans.pdf'],
	['attachment; filename \t= \t"plans.pdf"', 'plans.pdf'],
	['attachment; filename=plans.pdf ;', 'plans.pdf'],
	['attachment; ;filename=plans', 'plans'],
	['attachment; filename=my plans.pdf', 'my plans.pdf'],
	["attachment; filename='plans.pdf'", "'plans.pdf'"],
	['attachment; filename="£ rates.pdf"', '£ rates.pdf'],
	['attachment; filename=plän.pdf', 'plän.pdf'],
	['attachment; filename="plÃ¤n.pdf"', 'plÃ¤n.pdf'],
	['attachment; filename="plan-%41.pdf"', 'plan-%41.pdf'],
	['attachment; filename="plan-%\\41.pdf"', 'plan-%41.pdf'],
	['attachment; filename="50%.pdf"', '50%.pdf'],
	['attachment; filename="it\'s here; or not.pdf"', "it's here; or not.pdf"],
	['attachment; kind="a"; filename="plans.pdf"', 'plans.pdf'],
	['attachment; kind="\\"\\\\";filename="plans.pdf"', 'plans.pdf'],
	['attachment; kind="filename=plans.pdf"', undefined],
	['attachment; kind="; filename=plans.pdf"', undefined],
	['attachment; filename=plan[1](2).pdf', 'plan[1](2).pdf'],
	['attachment; filename="plans.pdf".txt', 'plans.pdf'],
	['attachment; filename=pl"an;s"more', 'pl_an'],
	['attachment; filename=a.pdf, attachment; filename=b.pdf', 'a.pdf, attachment'],
	['attachment; filename=a size=3', 'a size=3'],
	['attachment; kind=a filename=plans.pdf', undefined],
	['inline; attachment; filename=plans.pdf', 'plans.pdf'],
	[': inline; attachment; filename=plans.pdf', 'plans.pdf'],
	['x=y; filename=plans.pdf', 'plans.pdf'],
	['"a; filename=b;c"; filename=d', 'b'],
	['attachment; filename==?ISO-8859-1?Q?pl=E4n.pdf?=', '=_ISO-8859-1_Q_pl=E4n.pdf_='],
	['attachment; filename="plans', undefined],
	['attachment; filename="plans; filename=other', undefined],
	['attachment; filename=', undefined],
	['attachment; filename', undefined],
	['attachment; name="plans.pdf"', undefined],
	['attachment; xfilename=plans.pdf', undefined],
	['attachment; x-filename=plans.pdf', undefined],
	['attachment; filename@="plans.pdf"', undefined],
	['attachment filename=plans.pdf', undefined],
	['filename="plans.pdf"', undefined],
	['filename=plans.pdf; attachment', undefined],
	['filename=a.pdf, filename=b.pdf', undefined],
	['"attachment"', undefined],
	['attachment;', undefined],
	['attachment', undefined],
	['inline; filename="euro.pdf"; filename*=utf-8\'\'%E2%82%AC%20rates.pdf', '€ rates.pdf'],
	['inline; filename*=UTF-8\'en\'%E2%82%AC%20rates.pdf; filename="euro.pdf"', '€ rates.pdf'],
	["attachment; filename*=utf8''%e2%82%ac.pdf", '€.pdf'],
	["attachment; filename*=UTF-8''a%cc%88.pdf", 'a\u0308.pdf'],
	["attachment; filename*=UTF-8''it's.pdf", "it's.pdf"],
	["attachment; filename*=UTF-8''A-%2541.pdf", 'A-%41.pdf'],
	["attachment; filename*=UTF-8''%5cplans.pdf", 'plans.pdf'],
	["attachment; filename*= UTF-8''pl%C3%A4n.pdf", 'plän.pdf'],
	["attachment; filename* =UTF-8''pl%C3%A4n.pdf", 'plän.pdf'],
	["attachment; filename *=UTF-8''pl%C3%A4n.pdf", undefined],
	["attachment; filename*=ISO-8859-1''%A3%20rates.pdf", '£ rates.pdf'],
	["attachment; filename*=iso-8859-1''plans.pdf", 'plans.pdf'],
	["attachment; filename*=ISO-8859-1''%82%20rates.pdf", 'rates.pdf'],
	["attachment; filename*=iso-8859-1''pl%c3%a4n-%e2%82%ac.pdf", 'plÃ¤n-â¬.pdf'],
	["attachment; filename*=ISO-8859-2''%A4.pdf", undefined],
	['attachment; filename="euro.pdf"; filename*=ISO-8859-2\'\'%A4.pdf', 'euro.pdf'],
	["attachment; filename*=''plans.pdf", undefined],
	["attachment; filename*=UTF-8'plans.pdf", undefined],
	['attachment; filename*="UTF-8\'\'plans.pdf"', undefined],
	['attachment; filename*="my%20plans.pdf"', undefined],
	["attachment; filename*=UTF-8''100%.txt", undefined],
	["attachment; filename*=UTF-8''plans%", undefined],
	["attachment; filename*=UTF-8''%E4%20rates.pdf", undefined],
	["attachment; filename*=UTF-8''%E4.pdf; filename*=UTF-8''plans.pdf", undefined],
	["attachment; filename*=UTF-8''%E4.pdf; filename=plans.pdf", 'plans.pdf'],
	["attachment; filename*=UTF-8''a.pdf; filename*=UTF-8''b.pdf", 'a.pdf'],
	['attachment; filename*0="plans."; filename*1="pdf"', undefined],
	['attachment; filename*0*=UTF-8\'\'pl%c3%a4n; filename*1=".pdf"', undefined],
	["attachment; filename*0*=ISO-8859-15''%a4; filename*=ISO-8859-1''sign%3d%a4", 'sign=¤'],
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
