/** Routing gives the recorded answers of the system that it describes (§4.3; reference A–E). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { agreement } from './agreement.ts';
import type { CaseFile } from './case-file.ts';

/** What is refused here on purpose. */
const REFUSED = [
  // D37: the time of `^\w+[\w\.]*\@\w+((-\w+)|(\w*))\.[a-z]{2,3}$` can grow as length^3.
  /^\{"id":"t477",.* → threw SyntaxError: the time of the expression .* can grow as length\^3/,
  // D30: no link has the segment "." or "..".
  /→ null, not \{"index":\d+,"path":"[^"?]*\/\.\.?(?:[/?][^"]*)?"/,
];

for (const name of ['chosen', 'random']) {
  test(`4.3 – ${name} recorded answers → ours are the same`, (t) => {
    const file = JSON.parse(readFileSync(new URL(`recorded-${name}.json`, import.meta.url), 'utf8')) as CaseFile;
    for (const [kind, { asked, newer, differ }] of Object.entries(agreement(file))) {
      t.diagnostic(
        `${kind}: ${asked - differ.length - newer} of ${asked} agree` +
          (newer ? `, ${newer} are those of a newer version (C.5, D26, E.2)` : ''),
      );
      assert.deepEqual(
        differ.filter((line) => !REFUSED.some((one) => one.test(line))),
        [],
      );
      assert.ok(asked > 0);
      assert.ok(newer * 50 < asked);
    }
  });
}
