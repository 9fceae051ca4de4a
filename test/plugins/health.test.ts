/** Tests `/health` and `/ready`. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { inject } from '../../src/http/inject.ts';
import { listener } from '../../src/http/listener.ts';
import { pipeline } from '../../src/pipeline/pipeline.ts';
import { health } from '../../src/plugins/health.ts';

let ready = true;
const server = createServer(listener(pipeline(health({ ready: () => ready }).stages!)));

const CASES = [
  { ask: ['GET', '/health'], ready: true, status: 200, body: /^\{"status":"alive"\}$/ },
  { ask: ['GET', '/health'], ready: false, status: 200, body: /^\{"status":"alive"\}$/ },
  { ask: ['GET', '/ready'], ready: true, status: 200, body: /^\{"status":"ready"\}$/ },
  {
    ask: ['GET', '/ready'],
    ready: false,
    status: 503,
    body: /"status":503,"detail":"The service is stopping","instance":"\/ready"/,
  },
  { ask: ['HEAD', '/ready'], ready: true, status: 200, body: /^$/ },
  { ask: ['HEAD', '/ready'], ready: false, status: 503, body: /^$/ },
  { ask: ['GET', '/HEALTH/'], ready: true, status: 200, body: /alive/ },
  { ask: ['GET', '/Ready?x=1'], ready: true, status: 200, body: /ready/ },
  { ask: ['POST', '/health'], ready: true, status: 404, body: /Nothing answers/ },
  { ask: ['GET', '/healthy'], ready: true, status: 404, body: /Nothing answers/ },
  { ask: ['GET', '/health/x'], ready: true, status: 404, body: /Nothing answers/ },
] as const;

for (const {
  ask: [method, path],
  ready: now,
  status,
  body,
} of CASES) {
  test(`operation – ${method} ${path} while ${now ? 'serving' : 'stopping'} → ${status}`, async () => {
    ready = now;
    const reply = await inject(server, { method, path });
    assert.equal(reply.status, status);
    assert.match(reply.body, body);
    if (status === 404) return;
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.equal(reply.headers['content-type'], status === 200 ? 'application/json' : 'application/problem+json');
    assert.equal(reply.headers['retry-after'], status === 503 ? '1' : undefined);
  });
}
