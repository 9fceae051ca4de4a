/**
 * Tests the messages of the trace page for files that are not recordings. `recorder.test.ts` tests valid recordings.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRecording } from './read-recording.ts';

const STATION = { kind: 'stage', label: 'a', entered: 1, calls: [], stations: [] };
const RECORDING = {
  ...{ method: 'GET', target: '/', httpVersion: '1.1', requestId: 'x', at: '2026-01-01T00:00:00Z' },
  ...{ took: 1, complete: true, headers: [['Host', 'localhost']] },
  ...{ body: { kind: 'none' }, stations: [STATION] },
};
const recording = (change: object): string => JSON.stringify({ recording: { ...RECORDING, ...change } });
const station = (change: object): string => recording({ stations: [{ ...STATION, ...change }] });
const nested = (levels: number): object => (levels === 0 ? STATION : { ...STATION, stations: [nested(levels - 1)] });

test('trace – the least recording in a file → read', async () => {
  assert.deepEqual(await readRecording(recording({})), { recording: RECORDING });
  assert.deepEqual(await readRecording(JSON.stringify({ recording: RECORDING, answer: 'of explain' })), {
    recording: RECORDING,
  });
});

for (const [name, written, says] of [
  ['an empty file', '', /JSON/],
  ['HTML', '<!doctype html>', /JSON/],
  ['null', 'null', /"recording" is not an object$/],
  ['another document', '{"swagger":"2.0"}', /"recording" is not an object$/],
  ['a member that lacks', recording({ target: undefined }), /"recording\.target" is not a text$/],
  ['a number for a text', recording({ method: 1 }), /"recording\.method" is not a text$/],
  ['a text for a number', recording({ took: '1' }), /"recording\.took" is not a number$/],
  ['an object for a list', recording({ stations: { length: 1 } }), /"recording\.stations" is not a list$/],
  ['half a header line', recording({ headers: [['Host']] }), /"recording\.headers\[0\]" is not a name and a value$/],
  ['markup as a kind', station({ kind: '<b>' }), /"recording\.stations\[0\]\.kind" is not one of stage\|route/],
  ['a name that objects have', station({ kind: 'constructor' }), /\.kind" is not one of/],
  ['a call without changes', station({ calls: [{ at: 1 }] }), /\.calls\[0\]\.changes" is not a list$/],
  [
    'another verdict',
    station({ routes: [{ methods: '', template: '', text: '', proposed: true, verdict: '__proto__' }] }),
    /\.routes\[0\]\.verdict" is not one of/,
  ],
  [
    'headers that are no texts',
    station({ given: { method: '', path: '', basePath: '', query: '', headers: { a: {} }, slots: [] } }),
    /\.given\.headers\[0\]" is not a text$/,
  ],
  [
    'a station inside',
    recording({ stations: [nested(3), { ...STATION, stations: [1] }] }),
    /"recording\.stations\[1\]\.stations\[0\]" is not an object$/,
  ],
  ['stages without an end', recording({ stations: [nested(60)] }), /it has more than 100 nested levels$/],
  ['lists without an end', '['.repeat(1_000_000), /JSON|deep/],
  ['lists in lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /it has more than 100 nested levels$/],
  [
    'too many values',
    recording({ stations: Array.from({ length: 5000 }, () => STATION) }),
    /it has more than 20000 values$/,
  ],
  ['too long a file', recording({ target: '/'.repeat(4_000_000) }), /it has more than 4000000 bytes$/],
] as const) {
  test(`trace – ${name} in a file → refused with the place`, async () => {
    await assert.rejects(readRecording(written), (error: Error) => {
      assert.match(error.message, /^This file is not a recording saved here or printed by explain --json: /);
      assert.match(error.message, says);
      return true;
    });
  });
}

test('trace – about fifty stages inside of one another → read', async () => {
  await readRecording(recording({ stations: [nested(46)] }));
});
