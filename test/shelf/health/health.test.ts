/** Tests `/health` and `/ready`. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { serve } from '../../../src/core/application/serve.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import { health } from '../../../src/shelf/health/health.ts';
import { answerOf } from '../../support/answer-of.ts';
import { Client } from '../../support/ask.ts';

let ready = true;
const served = pipeline(health({ ready: () => ready }).stages!);

const STOPPING = /"status":503,"detail":"The service is stopping","instance":"\/ready"/;
for (const [method, path, now, status, body] of [
  ['GET', '/health', true, 200, /^\{"status":"alive"\}$/],
  ['GET', '/health', false, 200, /^\{"status":"alive"\}$/],
  ['GET', '/ready', true, 200, /^\{"status":"ready"\}$/],
  ['GET', '/ready', false, 503, STOPPING],
  ['HEAD', '/ready', true, 200, /^$/],
  ['HEAD', '/ready', false, 503, /^$/],
  ['GET', '/HEALTH/', true, 200, /alive/],
  ['GET', '/Ready?x=1', true, 200, /ready/],
  ['POST', '/health', true, 404, /Nothing answers/],
  ['GET', '/healthy', true, 404, /Nothing answers/],
  ['GET', '/health/x', true, 404, /Nothing answers/],
] as const)
  test(`operation – ${method} ${path} while ${now ? 'serving' : 'stopping'} → ${status}`, async () => {
    ready = now;
    const reply = await answerOf(served, { method, path });
    assert.equal(reply.status, status);
    assert.match(reply.body, body);
    if (status === 404) return;
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.equal(reply.headers['content-type'], status === 200 ? 'application/json' : 'application/problem+json');
    assert.equal(reply.headers['retry-after'], status === 503 ? '1' : undefined);
  });

for (const how of ['close() of its server', 'stop() of the application'])
  test(`operation – an embedded application stops by ${how} → /ready is 503 although ready() returns true`, async (t) => {
    const composed = application([health({ ready: () => true })]);
    const { service, close } = await serve(composed, { port: 0 });
    t.after(close);
    const { port } = service.server.address() as AddressInfo;
    const [first, second] = [new Client(port), new Client(port)];
    for (const client of [first, second]) assert.equal((await client.ask({ target: '/ready' })).status, 200);
    const stopped = how.startsWith('close') ? close() : composed.stop();
    assert.equal((await first.ask({ target: '/ready' })).status, 503);
    assert.equal((await second.ask({ target: '/health' })).status, 200);
    await stopped;
  });
