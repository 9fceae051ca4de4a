/**
 * Opens all file descriptors of this process and requests two files, one of which the library has open. Then it closes
 * the descriptors and requests the other file again. Run this script with a low limit of descriptors.
 */
import { closeSync, openSync } from 'node:fs';
import { staticFiles } from '../../src/plugins/files/files.ts';
import { ask } from './file-request.ts';

// The library trusts a checked file for 20 ms of this clock. The clock stands still, so the trust does not end.
performance.now = () => 0;
const site = [staticFiles({ root: process.argv[2]! })];
await ask(site, '/held.txt');
const taken: number[] = [];
// The loader of this script may close descriptors a little later. Stops when five attempts in a row find none free.
for (let quiet = 0; quiet < 5; ) {
  const before = taken.length;
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    // All descriptors are open.
  }
  quiet = taken.length === before ? quiet + 1 : 0;
  await new Promise((resolve) => void setTimeout(resolve, 20));
}
const held = await ask(site, '/held.txt');
const other = await ask(site, '/other.txt');
for (const descriptor of taken) closeSync(descriptor);
const later = await ask(site, '/other.txt');
console.log(
  JSON.stringify({
    held: held.status,
    other: other.status,
    later: later.status,
    retryAfter: other.headers['retry-after'],
    leaks: /EMFILE|files-/.test(other.text),
  }),
);
