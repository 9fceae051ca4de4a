/** The first route that matches a request answers it; a request that none matches goes to the next stage (§4.3, D9). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '../../../src/core/message/context.ts';
import { splitPath } from '../../../src/core/message/path.ts';
import { text } from '../../../src/core/message/replies.ts';
import { route } from '../../../src/core/routing/route.ts';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
import { routing } from '../../../src/core/routing/routing.ts';
import { throwing } from '../../support/throwing.ts';

const context = (method: string, path: string): Context =>
  ({ method, path, basePath: '', segments: splitPath(path) }) as unknown as Context;

test('4.3 – a request that a route takes → its handler, without a promise', () => {
  const routes = new RouteCollection().add(
    route({
      method: 'GET',
      path: 'hello/{name=World}',
      handle: ({ context, values, route }) => text(`${context.method} ${values.name} ${route.template.text}`),
    }),
  );
  const stage = routing(routes);
  const next = throwing(new Error('not asked'));
  assert.deepEqual(stage(context('GET', '/hello/You'), next), text('GET You hello/{name=World}'));
  assert.equal((stage(context('GET', '/Hello'), next) as { body: string }).body, 'GET World hello/{name=World}');
  assert.equal(stage.name, 'routing');
});

test('D9 – a request that no route takes → the next stage', () => {
  const stage = routing(new RouteCollection().add(route({ method: 'GET', path: 'a', handle: () => text('a') })));
  for (const [method, path] of [
    ['POST', '/a'],
    ['GET', '/b'],
    ['HEAD', '/a'],
  ] as const) {
    const asked = context(method, path);
    assert.deepEqual(
      stage(asked, (passed) => text(String(passed === asked))),
      text('true'),
    );
  }
});
