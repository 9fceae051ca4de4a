/** Asks the built service, with OpenTelemetry in front of it as the page says, and collects the spans that it sends. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const SERVER_SPAN = 2;

/** Starts the built service with the variables of the page on deployment. Spans are sent to `endpoint`. */
function started(t, endpoint) {
  const tracing = fileOf('../../src/deploy/tracing.cjs');
  const flags = ['--port', '0', '--log-format', 'json', '--access-log', 'on', '--plugin', tracing];
  const child = spawn(process.execPath, ['--require', tracing, fileOf('../../dist/main.js'), ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // The file requires packages that are installed beside this test.
      NODE_PATH: fileOf('node_modules'),
      OTEL_SERVICE_NAME: 'todo',
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_EXPORTER_OTLP_TIMEOUT: '2000',
    },
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

test('no collector, and a stop → the spans are lost with a line that says so, and the code is that of the signal', async (t) => {
  const child = started(t, 'http://127.0.0.1:9');
  const [first] = await once(child.stdout, 'data');
  await (await fetch(`${JSON.parse(first).url}/api/todo`)).text();
  const said = child.stderr.setEncoding('utf8').toArray();
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  assert.match((await said).join(''), /Cannot send the last spans: .*ECONNREFUSED/);
});

test('a request with a traceparent and one without → a span each, under it and of a new trace; the log and the problem have the ids', async (t) => {
  const spans = [];
  const collector = createServer(async (request, response) => {
    const { resourceSpans } = await json(request);
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.setHeader('Content-Type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  t.after(() => collector.close());
  const child = started(t, `http://127.0.0.1:${collector.address().port}`);
  const said = child.stdout.setEncoding('utf8').toArray();
  const [first] = await once(child.stdout, 'data');
  const { url } = JSON.parse(first);
  const ask = async (headers) => (await fetch(`${url}/api/todo/none`, { headers })).json();
  const problems = [await ask({ traceparent: `00-${TRACE}-${SPAN}-01` }), await ask({})];
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  const requests = (await said)
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ route }) => route === '/api/todo/{id}');
  const servers = spans.filter(({ kind }) => kind === SERVER_SPAN);
  const [under, begun] = servers;
  assert.deepEqual([under.traceId, under.parentSpanId], [TRACE, SPAN]);
  assert.ok(begun.traceId !== TRACE && !begun.parentSpanId);
  const idsOf = (all) => all.map(({ traceId, spanId }) => `${traceId} ${spanId}`);
  assert.deepEqual(idsOf(requests), idsOf(servers));
  assert.deepEqual(
    problems.map(({ traceId }) => traceId),
    servers.map(({ traceId }) => traceId),
  );
});
