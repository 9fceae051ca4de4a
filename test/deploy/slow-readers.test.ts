/** Tests that the service survives clients that read long replies slowly, with the least memory that the pages promise. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noPlace } from '../abuse/store-place.ts';
import { isLong } from '../support/long-run.ts';
import { slowReaders } from './memory/slow-readers.ts';

const MIB = 2 ** 20;

for (const [what, reply] of [
  ['an item in memory', { store: 'memory', items: 1 }],
  ['an item in SQLite', { store: 'file', items: 1 }],
  ['an item in Redis', { store: 'redis', items: 1 }],
  ['a list of one item in memory', { store: 'memory', items: 1, path: '/api/todo' }],
  ['a list of one item in SQLite', { store: 'file', items: 1, path: '/api/todo' }],
  ['a list of one item in Redis', { store: 'redis', items: 1, path: '/api/todo' }],
  ['a list of 2,500 items in memory', { store: 'memory', items: 2500, path: '/api/todo' }],
  ['a list of 2,500 items in SQLite', { store: 'file', items: 2500, path: '/api/todo' }],
  ['a list of 2,500 items in Redis', { store: 'redis', items: 2500, path: '/api/todo' }],
  ['text()', { store: 'memory', items: 0, path: '/text' }],
  ['json()', { store: 'memory', items: 0, path: '/json' }],
  ['stream()', { store: 'memory', items: 0, path: '/stream' }],
  ['a file', { store: 'memory', items: 0, path: '/swagger/ui/swagger-ui-bundle.js' }],
] as const)
  test(`D50, D121 – 256 MiB, 250 clients that read 600 bytes a second of ${what} with 1 MB → the service goes on`, async (t) => {
    if (!isLong) return t.skip('it takes a minute; npm run test:long has it');
    const missing = noPlace(reply.store);
    if (missing !== false) return t.skip(missing);
    const reading = await slowReaders(256 * MIB, 8, reply);
    if (typeof reading === 'string') return t.skip(reading);
    const { readers, status, peak, kills, errors } = reading;
    t.diagnostic(`${readers} clients have read, at most ${Math.round(peak / MIB)} MiB`);
    assert.deepEqual([status, kills], [200, 0], errors);
    // The service closes the connections that hold most, so not all clients read.
    assert.ok(readers >= 16, `${readers} clients have read`);
  });
