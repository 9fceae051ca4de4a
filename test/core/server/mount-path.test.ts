/** Where a framework has mounted a listener, as each of them tells it (D78). */

import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { mountPathOf } from '../../../src/core/server/mounted-listener.ts';

for (const [told, path] of [
  [{ url: '/todo' }, ''],
  [{ url: '/todo', originalUrl: '/todo', baseUrl: '' }, ''],
  [{ url: '/todo?x=/a', originalUrl: '/v1/todo?x=/a', baseUrl: '/v1' }, '/v1'],
  [{ url: '/rewritten', originalUrl: '/todo', baseUrl: '' }, ''],
  [{ url: '/todo', originalUrl: '/A%20b/todo', baseUrl: '/A%20b' }, '/A%20b'],
  [{ url: '/todo', originalUrl: '//evil.example/todo', baseUrl: '//evil.example' }, ''],
  [{ url: '/todo', originalUrl: '/../todo', baseUrl: '/..' }, ''],
  // Connect and Fastify
  [{ url: '/todo', originalUrl: '/v1/todo' }, '/v1'],
  [{ url: '/todo?x=1', originalUrl: '/v1/v2/todo?x=1' }, '/v1/v2'],
  [{ url: '/', originalUrl: '/v1/' }, '/v1'],
  [{ url: '/', originalUrl: '/v1' }, '/v1'],
  [{ url: '/?x=1', originalUrl: '/v1?x=1' }, '/v1'],
  [{ url: 'http://a/todo', originalUrl: 'http://a/v1/todo' }, '/v1'],
  [{ url: '/rewritten', originalUrl: '/v1/todo' }, ''],
  [{ url: '/todo', originalUrl: '//evil.example/todo' }, ''],
  [{ url: '/todo', originalUrl: 5 }, ''],
] as const)
  test(`D78 – a framework tells ${JSON.stringify(told)} → mounted at "${path}"`, () =>
    assert.equal(mountPathOf(told as unknown as IncomingMessage), path));
