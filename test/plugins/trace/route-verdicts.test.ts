/** Tests the verdicts on routes: the first route that matches is taken, and later routes are not tried. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routeVerdicts } from '../../../src/plugins/trace/views.ts';
import { throwing } from '../../support/throwing.ts';
import { collectionOf } from '../../support/unanswered.ts';

test('trace – the verdicts on routes → the first that matches is taken, and later routes are not tried', () => {
  const verdicts = routeVerdicts(collectionOf('a', '{x:int}', '{x}', '{*y}'), { method: 'GET', path: '/b' });
  assert.deepEqual(
    verdicts.map(({ verdict, text }) => `${verdict}: ${text}`),
    [
      'untried: segment 1 is "b", route wants "a"',
      'rejected: {x:int} rejects "b"',
      'taken: {"x":"b"}',
      'untried: an earlier route is taken',
    ],
  );
});

test('trace – a constraint that throws → no verdicts', () => {
  const fails = throwing(new Error('Gone'));
  assert.deepEqual(
    routeVerdicts(collectionOf({ template: '{x}', constraints: { x: fails } }), { method: 'GET', path: '/b' }),
    [],
  );
});
