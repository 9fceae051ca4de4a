/**
 * Routing gives the same answers as the system that it describes (§4.3; rules A–E), in a time that is about linear
 * in the length of a segment (D31).
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assertAboutLinear } from '../../support/about-linear.ts';
import { collectionOf } from '../../support/unanswered.ts';
import { agreement } from './agreement.ts';
import type { CaseFile } from './case-file.ts';

/** Differences on purpose: this library rejects these cases. */
const REJECTED = [
  // D30: no link has the segment "." or "..".
  /→ null, not \{"index":\d+,"path":"[^"?]*\/\.\.?(?:[/?][^"]*)?"/,
];

for (const name of ['chosen', 'random'])
  test(`4.3 – ${name} recorded answers → routing gives the same answers`, (t) => {
    const file = JSON.parse(readFileSync(new URL(`recorded-${name}.json`, import.meta.url), 'utf8')) as CaseFile;
    for (const [kind, { asked, newer, differ }] of Object.entries(agreement(file))) {
      t.diagnostic(
        `${kind}: ${asked - differ.length - newer} of ${asked} agree` +
          (newer ? `, ${newer} are those of a newer version (C.5, D26, E.2)` : ''),
      );
      assert.deepEqual(
        differ.filter((line) => !REJECTED.some((pattern) => pattern.test(line))),
        [],
      );
      assert.ok(asked > 0);
      assert.ok(newer * 50 < asked);
    }
  });

const CONSTRAINTS =
  'int bool datetime decimal double float guid long minlength(5) maxlength(8) length(4,16) min(18) max(120) ' +
  'range(18,120) alpha regex(list|get|create) regex([a-z]+) required';
const PARTS = '{*x:int} {a}-{b} {a}.{b?} {a}aa{b} {a}-{b}-{c}-{d} x{a}y {a}.{b}.{c?} {a}--{b} aaaa{a}aaaa{b}';
const TEMPLATES = [...CONSTRAINTS.split(' ').map((constraint) => `{x:${constraint}}`), ...PARTS.split(' ')];
const FILLS = [...'a1 -.,0+\t{١ü\u00a0\0%', '1 ', '1,', 'aa-', '0x', 'Apr ', 'Mon ', '1:'];

for (const template of TEMPLATES)
  test(`D31 – 2 KB and 8 KB against ${template} → about linear`, () => {
    const collection = collectionOf(template);
    for (const fill of FILLS)
      for (const end of ['', '!', '-'])
        assertAboutLinear(JSON.stringify(fill), (times) => {
          const path = `/${encodeURIComponent(fill.repeat((times * 2048) / fill.length) + end)}`;
          return () => collection.find('GET', path);
        });
  });

test('D31 – a path of 8,000 segments → about linear', () => {
  const templates = ['{a}/{b}/{c}', 'a/{*rest}', '{a}/b/{*rest:int}', 'a/a/a/a/{x:int}', '{a}/{b}/{c}/{d}/{e?}'];
  const collection = collectionOf(...templates);
  assertAboutLinear('segments', (times) => {
    const path = '/a'.repeat(2000 * times);
    return () => collection.find('GET', path);
  });
});
