import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestId } from '../../../src/core/http/request-id.ts';
import { logged } from '../../support/serve.ts';

test('D10 – ten thousand requests without an id → ten thousand different ids of the same length', () => {
  const ids = Array.from({ length: 10_000 }, () => requestId(undefined));
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(new Set(ids.map(({ length }) => length)), new Set([12]));
  for (const id of ids) assert.match(id, /^[\w-]{6}-[0-9a-z]{5}$/);
});

test('D78 – newRequestId of the application → used for requests without a valid id', () => {
  let count = 0;
  const make = (): string => `id-${++count}`;
  assert.deepEqual(
    [requestId(undefined, make), requestId('own', make), requestId('not valid', make)],
    ['id-1', 'own', 'id-2'],
  );
});

const FAULTY: readonly (readonly [what: string, make: () => string])[] = [
  ['has a line feed', () => 'a\r\nb'],
  ['is empty', () => ''],
  ['is a number', () => 5 as unknown as string],
  ['is thrown', () => assert.fail('no id')],
];
for (const [what, make] of FAULTY)
  test(`D78 – an id of the application that ${what} → an error is logged, and the request gets another id`, () => {
    assert.match(requestId(undefined, make), /^[\w-]{12}$/);
    assert.match(logged.splice(0).join(), /Cannot use the request id|no id/);
  });
