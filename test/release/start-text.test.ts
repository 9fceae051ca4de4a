/** Tests the start of a program by versions of Node, with `engines` of the package beside it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { textOf } from '../house/source-files.ts';
import { START_TEXT } from './start-text.ts';

const VERSIONS: readonly (readonly [version: string, starts: boolean])[] = [
  ['12.22.12', false],
  ['18.20.8', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['20.20.2', true],
  ['21.7.3', true],
  ['22.0.0', true],
  ['24.0.0', true],
  ['26.10.0', true],
  ['30.0.0', true],
];

for (const [version, starts] of VERSIONS)
  test(`package – Node ${version} → ${starts ? 'the program starts' : 'one line, exit code 2'}`, () => {
    const lines: string[] = [];
    const codes: number[] = [];
    const process = { versions: { node: version }, exit: (code: number) => void codes.push(code) };
    runInNewContext(START_TEXT.replace(/^#!.*/, ''), {
      process,
      console: { error: (line: string) => void lines.push(line) },
    });
    assert.deepEqual(codes, starts ? [] : [2]);
    assert.equal(lines.length, starts ? 0 : 1);
    if (!starts) assert.match(lines[0]!, new RegExp(`^Cannot start: Node ${version} is too old; use `));
  });

test('package – the versions → are those of engines', () => {
  assert.equal(JSON.parse(textOf('package.json')).engines.node, '>=20.19');
});

test('package – the text → has no expression that an old version of Node cannot read', () => {
  assert.doesNotMatch(START_TEXT, /\b(?:const|let|class)\b|=>|`|\?\?|\?\.|#(?!!)/);
});
