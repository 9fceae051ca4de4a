/**
 * Run with few descriptors allowed: takes them all, asks for a file that is held and one that is not, lets go and asks
 * again.
 */
import { closeSync, openSync } from 'node:fs';
import { staticFiles } from '../../src/extensions/files/files.ts';
import { ask } from './file-request.ts';

// What was looked at a moment ago is believed for 20 ms by this clock, which stands still.
performance.now = () => 0;
const site = [staticFiles({ root: process.argv[2]! })];
await ask(site, '/held.txt');
const taken: number[] = [];
// The runner of this script may let go of some of its own a little later: quiet is when there was none left five times
// in a row.
for (let quiet = 0; quiet < 5; ) {
  const before = taken.length;
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    // None left, as wanted.
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
