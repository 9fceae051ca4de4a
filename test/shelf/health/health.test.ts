/** Tests `/health` and `/ready`. */
import assert from 'node:assert/strict';
import { openSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import { serve } from '../../../src/core/application/serve.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import { trace } from '../../../src/plugins/trace/trace.ts';
import { health } from '../../../src/shelf/health/health.ts';
import { accessLog } from '../../../src/shelf/logs/access-log.ts';
import { metrics } from '../../../src/shelf/metrics/metrics.ts';
import { answerOf } from '../../support/answer-of.ts';
import { Client } from '../../support/ask.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

let ready: boolean | object = true;
const served = pipeline(health({ ready: () => ready }).stages!);

const STOPPING = /"status":503,"detail":"The service is starting or stopping","instance":"\/ready"/;
for (const [method, path, now, status, body] of [
  ['GET', '/health', true, 200, /^\{"status":"alive"\}$/],
  ['GET', '/health', false, 200, /^\{"status":"alive"\}$/],
  ['GET', '/ready', true, 200, /^\{"status":"ready"\}$/],
  ['GET', '/ready', false, 503, STOPPING],
  ['GET', '/ready', {}, 200, /^\{"status":"ready"\}$/],
  ['GET', '/ready', { store: 'down' }, 200, /^\{"status":"ready","store":"down"\}$/],
  ['GET', '/ready/', { store: undefined }, 200, /^\{"status":"ready"\}$/],
  ['HEAD', '/ready', true, 200, /^$/],
  ['HEAD', '/ready', false, 503, /^$/],
  ['GET', '/HEALTH/', true, 200, /alive/],
  ['GET', '/Ready?x=1', true, 200, /ready/],
  ['POST', '/health', true, 404, /Nothing answers/],
  ['GET', '/healthy', true, 404, /Nothing answers/],
  ['GET', '/health/x', true, 404, /Nothing answers/],
] as const)
  test(`operation – ${method} ${path} while ready() returns ${JSON.stringify(now)} → ${status}`, async () => {
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

test('D120 – a probe in any spelling → no line in the access log, no recording and no count; every other request has them', async () => {
  const file = join(temporaryFolder({}), 'access.log');
  const recorder = trace({ everyone: true });
  const composed = application([
    recorder,
    accessLog({ descriptor: openSync(file, 'a') }),
    metrics(),
    health({ ready: () => ready }),
    mounted('tools', health({ ready: () => false })),
  ]);
  const probes: readonly (readonly [method: string, path: string])[] = [
    ['GET', '/health'],
    ['HEAD', '/health'],
    ['GET', '/health?x=1'],
    ['GET', '/Health/'],
    ['GET', '/ready'],
    ['HEAD', '/READY'],
    ['GET', '/ready/'],
    ['GET', '/tools/ready'],
    ['GET', '/tools/health'],
  ];
  const others: readonly (readonly [method: string, path: string])[] = [
    ['POST', '/healthy'],
    ['GET', '/health/x'],
    ['GET', '/other/ready'],
    ['OPTIONS', '/tools/health'],
  ];
  for (const now of [true, false]) {
    ready = now;
    for (const [method, path] of probes) await (await composed.request(path, { method })).text();
  }
  for (const [method, path] of others) await (await composed.request(path, { method })).text();
  const recorded = async (): Promise<string[][]> => {
    const requests = (await (await composed.request('/trace/requests')).json()) as { method: string; target: string }[];
    return requests.map(({ method, target }) => [method, target]).reverse();
  };
  await until(async () => (await recorded()).length >= others.length, 'the recordings are complete');
  assert.deepEqual(await recorded(), others);
  const scraped = await (await composed.request('/metrics')).text();
  const refused = /^http_requests_total\{method="GET",route="none",status="(?:503|404)"\} \d+$/gm;
  assert.deepEqual(scraped.match(refused), ['http_requests_total{method="GET",route="none",status="404"} 2']);
  assert.match(scraped, /^http_requests_in_flight 0$/m);
  await composed.stop();
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const logged = lines.map(({ method, path }) => [method, path]).filter(([, path]) => !/trace|metrics/.test(path));
  assert.deepEqual(logged, others);
});
