/** Composes the service from the public API alone (embedding). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyOperation, Problem, ResponseDeclaration } from '../src/index.ts';
import * as library from './support/library.ts';

/** These types are exported, since this compiles. */
export type Named = [AnyOperation, Problem, ResponseDeclaration];

test('embedding – every plugin of the service, imported from the library → one application', async () => {
  const { accessLog, application, cors, description, health, metrics, staticSite, swaggerPage, todo, verification } =
    library;
  const items = todo();
  const composed = application([
    verification(),
    accessLog({ descriptor: 2 }),
    metrics({ more: () => `items ${items.store.size}` }),
    cors({ origins: ['https://a.example'] }),
    health({ ready: () => true }),
    swaggerPage(),
    staticSite({ root: '.' }),
    items,
    description({ title: 'T' }),
  ]);
  await composed.start();
  assert.match(await (await composed.request('/metrics')).text(), /^items 1$/m);
  assert.equal((await composed.request('/health')).status, 200);
  const { headers } = await composed.request('/api/todo', { headers: { Origin: 'https://a.example' } });
  assert.equal(headers.get('Access-Control-Allow-Origin'), 'https://a.example');
  await composed.stop();
});
