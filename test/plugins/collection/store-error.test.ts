/** The log lines about an open store, with their levels. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreState } from '../../../src/plugins/collection/store-error.ts';
import { errorLines } from '../../support/error-lines.ts';

test('D85 – a store is lost, then reached again; full, then with room again → a warning, then an info line, once each', (t) => {
  const lines = errorLines(t);
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const state = new StoreState('"a"');
  const acts: readonly (readonly [at: number, act: () => void])[] = [
    [0, () => state.found()],
    [1, () => state.lost('gone')],
    [2, () => state.lost('gone')],
    [3, () => state.found()],
    [1000, () => state.full('no room')],
    [50_000, () => state.full('no room')],
    // Reading and removing take no room, so they do not prove that there is room again.
    [51_000, () => state.found()],
    [52_000, () => state.accepted()],
    [53_000, () => state.full('no room')],
    [54_000, () => state.accepted()],
    [61_000, () => state.full('no room')],
    [62_000, () => state.accepted()],
    [63_000, () => state.accepted()],
  ];
  for (const [at, act] of acts) {
    now = at;
    act();
  }
  assert.deepEqual(
    lines().map(({ level, message }) => `${level}: ${message}`),
    [
      'warning: The store "a" cannot be reached: gone',
      'info: The store "a" is reached again',
      'warning: The store "a" is full: no room',
      'info: The store "a" has room again',
      'warning: The store "a" is full: no room',
      'info: The store "a" has room again',
    ],
  );
});
