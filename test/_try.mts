import { EXAMPLES, missingIn } from './unit/resources/commonMark.mts';
import { toChatMarks } from '../nodes/BusinessMessaging/resources/message/content/markdown.ts';
let n=0;const verbose=process.argv[2];
for(const e of EXAMPLES){const sent=toChatMarks(e.markdown);const m=missingIn(sent,e);if(m.length){n++; console.log(e.number,e.section,JSON.stringify(e.markdown),'=>',JSON.stringify(sent),'::',JSON.stringify(m.slice(0,3)));}}
console.log(n,'of',EXAMPLES.length);
