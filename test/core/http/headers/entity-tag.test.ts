/** Tags of versions: the same in every process, except for a count of one process (D8, D76). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { entityTag, type Version, versionOfProcess } from '../../../../src/core/http/representation.ts';
import { SOURCE_LOADER } from '../../../support/program.ts';

for (const [version, mediaType, tag] of [
  ['7d44-1', 0, '"7d44-1"'],
  ['7d44-1', 2, '"7d44-1:2"'],
  ['7d44', 1, '"7d44:1"'],
  ['7d44:1', 0, '"7d44%3A1"'],
  ['a "b", W/é', 0, '"a%20%22b%22%2C%20W%2F%C3%A9"'],
  ['*', 0, '"*"'],
  [3, 0, '"3"'],
  [3, 2, '"3:2"'],
  [2 ** 53 - 1, 0, '"9007199254740991"'],
] as const)
  test(`D76 – the version ${version}, media type ${mediaType} → ${tag}`, () =>
    assert.equal(entityTag(version, mediaType), tag));

test('D8 – versions and media types → each has a separate tag', () => {
  const versions: readonly Version[] = [
    0,
    1,
    2,
    11,
    '1:1',
    '1-1',
    '1%3A1',
    '0-1',
    '',
    versionOfProcess(1),
    versionOfProcess(11),
  ];
  const tags = versions.flatMap((version) => [0, 1, 2, 11].map((mediaType) => entityTag(version, mediaType)));
  assert.equal(new Set(tags).size, tags.length, tags.join(' '));
  for (const tag of tags) assert.match(tag, /^"[!#-~]*"$/);
});

test('D76 – another process → the same tag for a version, another tag for a count of the process', () => {
  const file = new URL('../../../../src/http.ts', import.meta.url).href;
  const tags = 'entityTag("v7"), entityTag(7), entityTag(7, 1), entityTag(versionOfProcess(7))';
  const script = `import { entityTag, versionOfProcess } from ${JSON.stringify(file)}; console.log(${tags});`;
  const options = [...SOURCE_LOADER, '--input-type=module', '--eval', script];
  const [text, number, second, counted] = execFileSync(process.execPath, options, { encoding: 'utf8' }).split(/\s/);
  assert.deepEqual([text, number, second], [entityTag('v7'), entityTag(7), entityTag(7, 1)]);
  assert.match(counted!, /^".+-7"$/);
  assert.notEqual(counted, entityTag(versionOfProcess(7)));
});
