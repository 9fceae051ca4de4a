/** Tags of versions: numbers of this run, and texts of every run (D8, D76). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { entityTag, type Version } from '../../../../src/core/message/headers/conditional.ts';
import { SOURCE_LOADER } from '../../../support/program.ts';

for (const [version, mediaType, tag] of [
  ['7d44-1', 0, '"7d44-1"'],
  ['7d44-1', 2, '"7d44-1:2"'],
  ['7d44', 1, '"7d44:1"'],
  ['7d44:1', 0, '"7d44%3A1"'],
  ['a "b", W/é', 0, '"a%20%22b%22%2C%20W%2F%C3%A9"'],
  ['*', 0, '"*"'],
] as const) {
  test(`D76 – the text ${version}, media type ${mediaType} → ${tag}`, () => {
    assert.equal(entityTag(version, mediaType), tag);
  });
}

test('D8 – versions and media types → each a tag of its own', () => {
  const versions: readonly Version[] = [0, 1, 2, 11, '0', '1', '1:1', '1-1', '1%3A1', '11', ''];
  const tags = versions.flatMap((version) => [0, 1, 2, 11].map((mediaType) => entityTag(version, mediaType)));
  assert.equal(new Set(tags).size, tags.length, tags.join(' '));
  for (const tag of tags) assert.match(tag, /^"[!#-~]*"$/);
});

test('D76 – another process → the same tag for a text, another one for a number', () => {
  const file = new URL('../../../../src/core/message/headers/conditional.ts', import.meta.url).href;
  const script = `import { entityTag } from ${JSON.stringify(file)}; console.log(entityTag('v7'), entityTag(7));`;
  const options = [...SOURCE_LOADER, '--input-type=module', '--eval', script];
  const [text, number] = execFileSync(process.execPath, options, { encoding: 'utf8' }).trim().split(' ');
  assert.equal(text, entityTag('v7'));
  assert.match(number!, /^".+-7"$/);
  assert.notEqual(number, entityTag(7));
});
