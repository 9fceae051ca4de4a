import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestId } from '../../../src/http/headers/request-id.ts';

test('D10 – ten thousand requests without an id of their own → ten thousand different ids of one length', () => {
  const ids = Array.from({ length: 10_000 }, () => requestId(undefined));
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(new Set(ids.map(({ length }) => length)), new Set([12]));
  for (const id of ids) assert.match(id, /^[\w-]{6}-[0-9a-z]{5}$/);
});
