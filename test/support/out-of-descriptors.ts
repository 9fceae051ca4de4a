/** Run with few descriptors allowed: takes them all, asks for a file that is held and one that is not, lets go and asks again. */
import { closeSync, openSync } from 'node:fs';
import { staticFiles } from '../../src/pipeline/static-files.ts';
import { ask } from './file-request.ts';

const site = [staticFiles({ root: process.argv[2]! })];
await ask(site, '/held.txt');
const taken: number[] = [];
try {
  for (;;) taken.push(openSync('/dev/null', 'r'));
} catch {
  // None left, as wanted.
}
const held = await ask(site, '/held.txt');
const other = await ask(site, '/other.txt');
for (const descriptor of taken) closeSync(descriptor);
const later = await ask(site, '/other.txt');
console.log(JSON.stringify({
  held: held.status, other: other.status, later: later.status,
  retryAfter: other.headers['retry-after'], leaks: /EMFILE|files-/.test(other.text),
}));
