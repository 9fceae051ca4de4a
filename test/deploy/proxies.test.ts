/** Tests the configurations of nginx, HAProxy and Caddy with the same requests (D119). Each runs before the service. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import type { SecureVersion } from 'node:tls';
import { LIMITS } from '../../src/core/http/limits.ts';
import { readSettings, type Settings } from '../../src/service/settings/settings.ts';
import { textOf } from '../house/source-files.ts';
import { ask } from '../support/ask.ts';
import { noEngine } from '../support/lasting-stores.ts';
import { serve } from '../support/serve.ts';
import { table } from '../support/table.ts';
import { until } from '../support/until.ts';
import { hostileRequests } from './proxies/hostile-requests.ts';
import { rollingRestart } from './proxies/rolling-restart.ts';
import {
  type Changes,
  noIpv6,
  noProxy,
  PROXIES,
  type ProxyName,
  type RunningProxy,
  startProxy,
} from './proxies/running-proxy.ts';
import { http1Client, http2Client, type SecureClient, sentSecurely } from './proxies/secure-client.ts';

interface Fronted {
  /** Clients of the proxy over HTTP/1.1 and HTTP/2. */
  readonly clients: readonly [SecureClient, SecureClient];
  readonly front: RunningProxy;
  /** The requests that the service got, without those for its readiness. */
  readonly received: readonly IncomingMessage[];
}

/** Starts the service as both instances behind a proxy. */
async function fronted(
  t: TestContext,
  proxy: ProxyName,
  { settings = {}, ...how }: { settings?: Partial<Settings>; isLimited?: boolean; changes?: Changes } = {},
): Promise<Fronted> {
  const { port, service } = await serve(t, { trustedProxies: ['loopback'], healthChecks: true, ...settings });
  const received: IncomingMessage[] = [];
  service.server.on('request', (request: IncomingMessage) => {
    if (request.url !== '/ready') received.push(request);
  });
  const front = await startProxy(proxy, [port, port], how);
  const clients = [http1Client(front.port), http2Client(front.port)] as const;
  t.after(async () => {
    for (const client of clients) client.close();
    await front.stop();
  });
  return { clients, front, received };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORGED = {
  'X-Forwarded-For': '203.0.113.9',
  'X-Forwarded-Proto': 'ftp',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Prefix': '/evil',
  'X-Request-Id': 'forged',
};
const item = (length: number): string => JSON.stringify({ name: 'x'.repeat(length) });

/** The lines that make a proxy compress JSON, and the lines of the page that restore the ETags for the service. */
const compressed: Readonly<Record<'nginx' | 'haproxy', readonly [on: Changes, mended: Changes]>> = (() => {
  const page = textOf('src/guide/operate/proxies.md');
  const [map = '', set = ''] = (/```nginx\n([^]*?)```/.exec(page)?.[1] ?? '').split(/^# .*\n/m);
  const line = /```haproxy\n# .*\n([^]*?)```/.exec(page)?.[1] ?? '';
  const nginx = { 'gzip off;': 'gzip on; gzip_proxied any; gzip_types application/json;' };
  const haproxy = {
    'balance leastconn': 'balance leastconn\n  compression algo gzip\n  compression type application/json',
  };
  return {
    nginx: [
      nginx,
      {
        'upstream todo {': `${map}upstream todo {`,
        'proxy_set_header Connection "";': `${set}proxy_set_header Connection "";`,
      },
    ],
    haproxy: [haproxy, { '  default_backend todo': `  ${line}  default_backend todo` }],
  };
})();

/** The requests of the two long tests. The variable `REQUESTS` sets another number, for example `REQUESTS=10000`. */
const REQUESTS = Number(process.env['REQUESTS'] ?? 300);
const LONG = 120_000 + 100 * REQUESTS;

// The tests are concurrent, because a rolling restart mostly waits.
describe('D119', { concurrency: true, timeout: 2 * LONG }, () => {
  for (const proxy of PROXIES)
    describe(proxy, { skip: noProxy(proxy), concurrency: 1 }, () => {
      test(`D119 – ${proxy}, HTTP/1.1 and HTTP/2: creating, reading, changing and deleting an item → as without a proxy`, async (t) => {
        const { clients, received } = await fronted(t, proxy);
        for (const client of clients) {
          const made = await client.ask('POST', '/api/todo', JSON_TYPE, item(10));
          assert.equal(made.status, 201);
          const [path, etag] = [String(made.headers['location']), String(made.headers['etag'])];
          const changed = JSON.stringify({ key: path.split('/').at(-1), name: 'changed' });
          assert.equal((await client.ask('GET', path, { 'If-None-Match': etag })).status, 304);
          assert.equal((await client.ask('PUT', path, { ...JSON_TYPE, 'If-Match': etag }, changed)).status, 204);
          assert.equal((await client.ask('PUT', path, { ...JSON_TYPE, 'If-Match': etag }, changed)).status, 412);
          assert.equal((await client.ask('DELETE', path)).status, 204);
          assert.equal((await client.ask('GET', path)).status, 404);
        }
        assert.ok(received.every(({ httpVersion }) => httpVersion === '1.1'));
      });

      test(`D119 – ${proxy}, upstream keep-alive: twenty requests of one client → at most two connections to the service`, async (t) => {
        const { clients, received } = await fronted(t, proxy);
        for (let count = 0; count < 20; count++) assert.equal((await clients[0].ask('GET', '/api/todo')).status, 200);
        assert.equal(received.length, 20);
        assert.ok(new Set(received.map(({ socket }) => socket)).size <= 2);
      });

      test(`D119 – ${proxy}, headers: a client that forges X-Forwarded-* and X-Request-Id → the service gets the true values, and the proxy logs the id`, async (t) => {
        const { clients, front, received } = await fronted(t, proxy);
        for (const client of clients) {
          const made = await client.ask('POST', '/api/todo', { ...JSON_TYPE, ...FORGED }, item(10));
          assert.match(String(made.headers['location']), /^\/api\/todo\//);
          const { headers } = received.at(-1)!;
          assert.equal(headers['x-forwarded-for'], '127.0.0.1');
          assert.equal(headers['x-forwarded-proto'], 'https');
          assert.equal(headers['x-forwarded-host'], `localhost:${front.port}`);
          assert.equal(headers['x-forwarded-prefix'], undefined);
          const id = String(headers['x-request-id']);
          assert.match(id, /^[0-9a-f-]{32,36}$/);
          assert.equal(made.headers['x-request-id'], id);
          await until(() => front.output().includes(id), 'the proxy has logged the id');
          assert.doesNotMatch(front.output(), /forged/);
        }
      });

      test(`D119 – ${proxy}, TLS: 1.2 and 1.3 → served; 1.1 → handshake fails`, async (t) => {
        const { front } = await fronted(t, proxy);
        const asked = (version: SecureVersion) => {
          const options = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' };
          const client = http1Client(front.port, options);
          return client.ask('GET', '/api/todo').finally(client.close);
        };
        for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
          assert.equal((await asked(version)).status, 200, version);
        await assert.rejects(asked('TLSv1.1'));
      });

      test(`D119 – ${proxy}, plain HTTP: a request → 308 to the same path and query over HTTPS`, async (t) => {
        const { front, received } = await fronted(t, proxy);
        const question = { method: 'POST', target: '/tools/api/todo?a=%2F', headers: { Host: 'localhost' } };
        const { status, headers } = await ask(front.plainPort, question);
        assert.equal(status, 308);
        assert.match(headers['location']!, /^https:\/\/(?:todo\.example|localhost:\d+)\/tools\/api\/todo\?a=%2F$/);
        assert.equal(received.length, 0);
      });

      test(`D119 – ${proxy}, IPv6: a client → is served, and its address is forwarded`, { skip: noIpv6 }, async (t) => {
        const { front, received } = await fronted(t, proxy);
        const client = http1Client(front.port, { host: '::1', servername: 'localhost' });
        t.after(client.close);
        assert.equal((await client.ask('GET', '/api/todo')).status, 200);
        assert.equal(received[0]!.headers['x-forwarded-for'], '::1');
      });

      for (const [question, prefix, settings] of [
        ['no prefix', '', {}],
        ['a prefix that the proxy strips', '/tools', {}],
        ['a prefix that it keeps, with --base-path', '/base', { basePath: '/base' }],
      ] as const)
        test(`D119 – ${proxy}, prefix: ${question} → Location and description have it`, async (t) => {
          const { clients } = await fronted(t, proxy, { settings });
          for (const client of clients) {
            const made = await client.ask('POST', `${prefix}/api/todo`, { ...JSON_TYPE, ...FORGED }, item(10));
            const path = String(made.headers['location']);
            assert.match(path, new RegExp(`^${prefix}/api/todo/`));
            assert.equal((await client.ask('GET', path)).status, 200);
            const { text } = await client.ask('GET', `${prefix}/swagger/v1/swagger.json`);
            assert.equal((JSON.parse(text) as { readonly basePath: string }).basePath, prefix || '/');
          }
        });

      for (const [target, status, location] of [
        ['/tools', 308, '/tools/'],
        ['/tools?a=%2F', 308, '/tools/?a=%2F'],
        ['/tools/', 404, undefined],
        ['/toolsx', 404, undefined],
        ['/x/tools', 404, undefined],
      ] as const)
        test(`D119 – ${proxy}, a prefix that the proxy strips: ${target} → ${status}${location ? ` to ${location}` : ''}`, async (t) => {
          const { clients } = await fronted(t, proxy);
          for (const client of clients)
            for (const method of ['GET', 'POST']) {
              const { status: told, headers } = await client.ask(method, target);
              assert.deepEqual([told, headers['location']], [status, location]);
            }
        });

      for (const [question, line, host, forwarded] of [
        ['HTTP/1.0 without Host, as a probe of a balancer', 'GET /api/todo HTTP/1.0', [], 'todo.example'],
        ['HTTP/1.0 with Host', 'GET /api/todo HTTP/1.0', ['localhost'], 'localhost'],
        ['HTTP/1.1 with Host', 'GET /api/todo HTTP/1.1', ['localhost'], 'localhost'],
        ['a Host with a port', 'GET /api/todo HTTP/1.1', ['localhost:PORT'], 'localhost:PORT'],
        ['the absolute-form', 'GET https://localhost:PORT/api/todo HTTP/1.1', ['localhost:PORT'], 'localhost:PORT'],
        ['HTTP/1.1 without Host', 'GET /api/todo HTTP/1.1', [], 400],
        ['two hosts', 'GET /api/todo HTTP/1.1', ['localhost', 'other.example'], 400],
      ] as const)
        test(`D119 – ${proxy}, the host: ${question} → ${forwarded}`, async (t) => {
          const { front, received } = await fronted(t, proxy);
          const withPort = (text: string): string => text.replaceAll('PORT', String(front.port));
          const head = [line, ...host.map((value) => `Host: ${value}`), 'Connection: close', '\r\n'].join('\r\n');
          const status = /^HTTP\/1\.[01] (\d{3})/.exec(await sentSecurely(front.port, withPort(head)))?.[1];
          if (forwarded === 400) return assert.equal(status, '400');
          assert.equal(status, '200');
          // Caddy serves only the hosts that the file names, and answers other requests itself.
          if (proxy === 'caddy' && host.length === 0) return assert.equal(received.length, 0);
          const { headers } = received[0]!;
          const expected = withPort(forwarded);
          assert.deepEqual([headers.host, headers['x-forwarded-host']], [expected, expected]);
        });

      for (const [question, length, status, type] of [
        ['just below --max-body', 1_000_000, 201, 'application/json'],
        ['above --max-body', 1_500_000, 413, 'application/problem+json'],
        // The limit of nginx, which stores longer bodies on its disk.
        ['far above it', 3_000_000, 413, proxy === 'nginx' ? 'text/html' : 'application/problem+json'],
      ] as const)
        test(`D119 – ${proxy}, a body: ${question} → ${status}`, async (t) => {
          const { clients } = await fronted(t, proxy);
          for (const client of clients) {
            const { status: told, headers } = await client.ask('POST', '/api/todo', JSON_TYPE, item(length));
            assert.deepEqual([told, headers['content-type']], [status, type]);
          }
        });

      test(`D119 – ${proxy}, abuse: corrupted requests → no unexplained 5xx, and the service stays healthy`, {
        timeout: LONG,
      }, async (t) => {
        const { tried, serverErrors, harm } = await hostileRequests(proxy, REQUESTS);
        t.diagnostic(`${proxy}: ${tried} hostile requests`);
        assert.ok(tried >= REQUESTS);
        assert.deepEqual([serverErrors, harm], [[], []]);
      });

      test(`D119 – ${proxy}, a rolling restart of two instances under load → no request fails`, {
        skip: noEngine('redis-server'),
        timeout: LONG,
      }, async (t) => {
        const { asked, failed, codes } = await rollingRestart(proxy, REQUESTS);
        t.diagnostic(`${proxy}: ${asked} requests`);
        assert.ok(asked >= REQUESTS);
        assert.deepEqual([[...failed], codes], [[], [0, 0]]);
      });
    });
});

const LIMITED = { nginx: { 'rate=100r/s': 'rate=1r/s' }, haproxy: { 'gt 200': 'gt 20' } };
/** The proxy trusts the client's header for its address, so that one machine can have many addresses. */
const ADDRESSED = {
  nginx: { '  limit_req_status': '  set_real_ip_from 127.0.0.1;\n  real_ip_header X-Address;\n  limit_req_status' },
  haproxy: { '  stick-table': '  http-request set-src hdr(X-Address)\n  stick-table' },
};
const ofNat64 = (number: number): string => `64:ff9b::203.0.${number >> 8}.${number & 255}`;
for (const [proxy, question, address, isLimited = true] of [
  ['nginx', 'one address of IPv4', () => '203.0.113.1'],
  ['nginx', 'one IPv6 network of 64 bits', (number: number) => `2001:db8::${number.toString(16)}`],
  ['nginx', 'many IPv4 clients behind a NAT64', ofNat64, false],
  ['nginx', 'one IPv4 client behind a NAT64', () => ofNat64(1)],
  ['haproxy', 'one address of IPv4', () => '203.0.113.1'],
  ['haproxy', 'many IPv4 clients behind a NAT64', ofNat64, false],
  ['haproxy', 'one IPv4 client behind a NAT64', () => ofNat64(1)],
  ['haproxy', 'one IPv6 network of 64 bits', (number: number) => `2001:db8::${number.toString(16)}`],
] as const)
  test(`D119 – ${proxy}, rates: many requests of ${question} at once → the proxy ${isLimited ? 'answers some with 429 and does not forward them' : 'forwards all'}`, {
    skip: noProxy(proxy),
  }, async (t) => {
    const changes = { ...LIMITED[proxy], ...ADDRESSED[proxy] };
    const { clients, received } = await fronted(t, proxy, { isLimited: true, changes });
    const replies = await Promise.all(
      Array.from({ length: 400 }, (_, number) =>
        clients[1].ask('GET', '/api/todo', { 'X-Address': address(number + 1) }),
      ),
    );
    const count = (wanted: number): number => replies.filter(({ status }) => status === wanted).length;
    assert.equal(count(429) > 0, isLimited);
    assert.equal(count(429) + count(200), 400);
    assert.equal(received.length, count(200));
  });

for (const proxy of ['nginx', 'haproxy'] as const)
  for (const [question, isMended, status] of [
    ['', false, 412],
    [', with the lines of the page', true, 204],
  ] as const)
    test(`D119 – ${proxy} that compresses JSON${question}: If-Match with the weak ETag from the proxy → ${status}`, {
      skip: noProxy(proxy),
    }, async (t) => {
      const [on, mended] = compressed[proxy];
      const { clients } = await fronted(t, proxy, { changes: isMended ? { ...on, ...mended } : on });
      for (const client of clients) {
        const made = await client.ask('POST', '/api/todo', JSON_TYPE, item(1000));
        const path = String(made.headers['location']);
        const { headers } = await client.ask('GET', path, { 'Accept-Encoding': 'gzip' });
        assert.equal(headers['content-encoding'], 'gzip');
        const etag = String(headers['etag']);
        assert.match(etag, /^W\/"/);
        const changed = JSON.stringify({ key: path.split('/').at(-1), name: 'changed' });
        assert.equal((await client.ask('PUT', path, { ...JSON_TYPE, 'If-Match': etag }, changed)).status, status);
        assert.equal((await client.ask('GET', path, { 'If-Match': '"other"' })).status, 412);
      }
    });

/** The lines that the page adds for the admin port of an instance at `port`. */
const forAdminPort = {
  haproxy: (port: number, admin: number): Changes => {
    const [line = ''] = /^server one .*$/m.exec(textOf('src/guide/operate/proxies.md')) ?? [];
    return {
      [`  server one 127.0.0.1:${port}\n`]: `  ${line.replace('8081', String(port)).replace('9091', String(admin))}\n`,
      [`  server two 127.0.0.1:${port}\n`]: '',
    };
  },
  caddy: (_: number, admin: number): Changes => {
    const [line = ''] = /^health_port .*$/m.exec(textOf('src/guide/operate/proxies.md')) ?? [];
    return { 'health_uri /ready': `health_uri /ready\n${line.replace('9090', String(admin))}` };
  },
};

for (const proxy of ['haproxy', 'caddy'] as const)
  test(`D119 – ${proxy}, with --admin-port and the lines of the page → checks that port, serves and sees a drain; without them it fails`, {
    skip: noProxy(proxy),
    timeout: 120_000,
  }, async (t) => {
    const { port, service, admin } = await serve(t, { adminPort: 0, healthChecks: true });
    const { port: adminPort } = (await admin!.listen()) as AddressInfo;
    let checks = 0;
    const count = (message: unknown): void => {
      const { request, server } = message as { readonly request: IncomingMessage; readonly server: Server };
      if (request.url === '/ready' && (server.address() as AddressInfo).port === adminPort) checks++;
    };
    subscribe('http.server.request.start', count);
    const behind = async (changes: Changes): Promise<SecureClient> => {
      const front = await startProxy(proxy, [port, port], { changes });
      const client = http2Client(front.port);
      t.after(async () => {
        client.close();
        await front.stop();
      });
      return client;
    };
    t.after(() => unsubscribe('http.server.request.start', count));
    const as = async (client: SecureClient, status: number): Promise<boolean> =>
      (await client.ask('GET', '/api/todo')).status === status;
    const unchanged = await behind({});
    await until(() => as(unchanged, 503), 'no instance is up', 20_000);
    assert.equal(checks, 0);
    const changed = await behind(forAdminPort[proxy](port, adminPort));
    await until(() => checks >= 4, 'it asks', 20_000);
    assert.ok(await as(changed, 200));
    service.drain();
    await until(() => as(changed, 503), 'it sees the drain', 20_000);
  });

const { idleTimeout, handlerTimeout, requestTimeout, maxBody } = readSettings([], {});
const { headTimeout } = LIMITS;
const DRAIN_DELAY = 3000;

table(
  (
    [
      ['nginx.conf', /keepalive_timeout (\d+)s;/, 1000, 'below', idleTimeout, '--idle-timeout'],
      ['nginx.conf', /proxy_read_timeout (\d+)s;/, 1000, 'above', handlerTimeout, '--handler-timeout'],
      ['nginx.conf', /proxy_send_timeout (\d+)s;/, 1000, 'above', requestTimeout, '--request-timeout'],
      ['nginx.conf', /client_header_timeout (\d+)s;/, 1000, 'at', headTimeout, 'the time for a head'],
      ['nginx.conf', /client_max_body_size (\d+)m;/, 2 ** 20, 'above', maxBody, '--max-body'],
      ['haproxy.cfg', /timeout server (\d+)s/, 1000, 'above', handlerTimeout, '--handler-timeout'],
      ['haproxy.cfg', /timeout client (\d+)s/, 1000, 'above', requestTimeout, '--request-timeout'],
      ['haproxy.cfg', /timeout http-request (\d+)s/, 1000, 'at', headTimeout, 'the time for a head'],
      ['haproxy.cfg', /pool-purge-delay (\d+)s/, 1000, 'below', idleTimeout, '--idle-timeout'],
      ['haproxy.cfg', /inter 1s fall (\d+)/, 1000, 'below', DRAIN_DELAY, '--drain-delay of the page'],
      ['Caddyfile', /keepalive (\d+)s/, 1000, 'below', idleTimeout, '--idle-timeout'],
      ['Caddyfile', /response_header_timeout (\d+)s/, 1000, 'above', handlerTimeout, '--handler-timeout'],
      ['Caddyfile', /read_header (\d+)s/, 1000, 'at', headTimeout, 'the time for a head'],
      ['Caddyfile', /read_body (\d+)s/, 1000, 'at', requestTimeout, '--request-timeout'],
      ['Caddyfile', /health_interval (\d+)s/, 1000, 'below', DRAIN_DELAY, '--drain-delay of the page'],
    ] as const
  ).map(([file, pattern, unit, relation, limit, name]) => ({
    ...{ clause: 'D119', question: `${file}: ${pattern.source}`, answer: `${relation} ${name}` },
    ...{ file, pattern, unit, relation, limit },
  })),
  ({ file, pattern, unit, relation, limit }) => {
    const [, number] = pattern.exec(textOf(`src/deploy/${file}`)) ?? [];
    const difference = Number(number) * unit - limit;
    assert.equal(Math.sign(difference), { below: -1, at: 0, above: 1 }[relation], `${number} for ${limit}`);
  },
);
