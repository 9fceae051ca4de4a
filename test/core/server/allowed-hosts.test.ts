/** Which hosts are answered, asked of the function and of the whole service (D43). */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { text } from '../../../src/core/http/replies.ts';
import { observed, type Stage } from '../../../src/core/pipeline/stage.ts';
import { allowedHost, hostCheck } from '../../../src/core/server/allowed-hosts.ts';
import { HttpService } from '../../../src/core/server/service.ts';
import { forwardingBy } from '../../../src/core/server/trusted-proxy.ts';
import { app } from '../../../src/service/app.ts';
import { askHealth } from '../../../src/service/ask-health.ts';
import { readSettings } from '../../../src/service/settings/settings.ts';
import { ask } from '../../support/ask.ts';
import { assertProblem } from '../../support/problem.ts';
import { serve, serveService } from '../../support/serve.ts';

const LIST = ['api.example', 'Only.Example:8443', 'secure.example:443', '10.0.0.5', '2001:db8::1', 'localhost'];

/** A `Host`, or the lines of a head; what stands in a target in absolute form; the answer. */
type Row = readonly [because: string, host: string | readonly string[], status: 200 | 400 | 421, target?: string];

const ROWS: readonly Row[] = [
  ['a name of the list', 'api.example', 200],
  ['another case', 'API.Example', 200],
  ['any port, where the list has none', 'api.example:9000', 200],
  ['an empty port', 'api.example:', 200],
  ['the dot of a whole name', 'api.example.', 200],
  ['a name below it', 'www.api.example', 421],
  ['a name in front of it', 'api.example.evil.example', 421],
  ['a name that ends with it', 'evilapi.example', 421],
  ['another name', 'evil.example', 421],
  ['the port of the list', 'only.example:8443', 200],
  ['another port', 'only.example:8444', 421],
  ['no port, where the list has one', 'only.example', 421],
  ['no port, where the list has that of https', 'secure.example', 200],
  ['an address', '10.0.0.5:8080', 200],
  ['another address', '10.0.0.50', 421],
  ['an IPv6 address', '[2001:db8::1]:8080', 200],
  ['an IPv6 address in other words', '[2001:0DB8:0:0::0001]', 200],
  ['another IPv6 address', '[2001:db8::2]', 421],
  ['an IPv6 address without brackets', '2001:db8::1', 400],
  ['localhost', 'localhost:8080', 200],
  ['localhost with a dot', 'localhost.', 200],
  ['a name below localhost', 'a.b.localhost', 200],
  ['loopback of IPv4', '127.0.0.1:8080', 200],
  ['any loopback of IPv4', '127.9.9.9', 200],
  ['loopback of IPv6', '[::1]:8080', 200],
  ['loopback of IPv6 in other words', '[0:0:0:0:0:0:0:1]', 200],
  ['a name that looks like loopback', '127.0.0.1.evil.example', 421],
  ['a name that ends with localhost', 'evillocalhost', 421],
  ['a name that begins with localhost', 'localhost.evil.example', 421],
  ['every address', '0.0.0.0', 421],
  ['a name with an escape', '%61pi.example', 200],
  ['a port that is none', 'api.example:70000', 421],
  ['an empty Host', '', 400],
  ['no Host', [], 400],
  ['two Hosts', ['api.example', 'api.example'], 400],
  ['a target with a name of the list counts, not Host', 'evil.example', 200, 'http://api.example/api/todo'],
  ['a target with another name counts, not Host', 'api.example', 421, 'http://evil.example/api/todo'],
  ['a target with a name, and an empty Host', '', 200, 'http://api.example:81/api/todo'],
];

const isAllowed = hostCheck(LIST, forwardingBy([]))!;

test('D43 – a service with a list of hosts → only requests for these hosts are answered', async (t) => {
  const { port } = await serve(t, { allowedHosts: LIST });
  for (const [because, host, status, target = '/api/todo'] of ROWS)
    await t.test(`D43 – ${because}: ${JSON.stringify(host)} ${target} → ${status}`, async () => {
      const answer = await ask(port, { target, headers: { Host: host } });
      if (status === 200) assert.equal(answer.status, 200);
      else assertProblem(answer, status);
      if (status === 400) return;
      assert.equal(isAllowed({ url: target, headers: { host } } as IncomingMessage), status === 200);
    });
  await t.test('D43 – HTTP/1.0 without a Host, which names none → 421', async () => {
    assertProblem(await ask(port, { version: '1.0', headers: { Host: [] } }), 421);
  });
});

for (const [because, trustedProxies, headers, status] of [
  ['both in the list', ['loopback'], { Host: '10.0.0.5', 'X-Forwarded-Host': 'api.example' }, 200],
  ['the proxy tells another', ['loopback'], { Host: '10.0.0.5', 'X-Forwarded-Host': 'evil.example' }, 421],
  ['Host is another', ['loopback'], { Host: 'evil.example', 'X-Forwarded-Host': 'api.example' }, 421],
  ['the proxy tells none', ['loopback'], { Host: 'api.example' }, 200],
  ['the proxy is not trusted', [], { Host: 'api.example', 'X-Forwarded-Host': 'evil.example' }, 200],
  ['the proxy is not trusted, Host is another', [], { Host: 'e.example', 'X-Forwarded-Host': 'api.example' }, 421],
] as const)
  test(`D43 – behind a proxy, ${because} → ${status}`, async (t) => {
    const { port } = await serve(t, { allowedHosts: LIST, trustedProxies });
    assert.equal((await ask(port, { target: '/api/todo', headers })).status, status);
  });

test('D43 – another host → no stage and no route runs, and what logs sees the 421', async (t) => {
  const ran: string[] = [];
  const outer: Stage = (context, next) => observed(context, next, (status) => void ran.push(`outer ${status}`));
  const plugin = { name: 'watching', outerStages: [outer], stages: [() => text(String(ran.push('inner')))] };
  const composed = application([plugin], { allowedHosts: ['api.example'] });
  const { port } = await serveService(t, new HttpService(composed));
  assertProblem(await ask(port, { method: 'POST', headers: { Host: 'evil.example' }, body: 'x' }), 421);
  assert.deepEqual(ran, ['outer 421']);
  assert.equal((await ask(port, { headers: { Host: 'api.example' } })).status, 200);
  assert.equal((await composed.request('http://api.example/')).status, 200);
});

test('D43 – no list → every host is answered', async (t) => {
  const { port, application: composed } = await serve(t);
  assert.equal(composed.answersHost, undefined);
  assert.equal((await ask(port, { target: '/api/todo', headers: { Host: 'evil.example' } })).status, 200);
});

test('D43 – --trace any → the page and what it reads ask the hosts and the origin too', async () => {
  const settings = { ...readSettings([], {}), trace: 'any', allowedHosts: ['api.example'] } as const;
  const { application: composed } = await app(settings);
  const asked = async (path: string, headers: Record<string, string>) =>
    (await composed.request(path, { headers })).status;
  for (const path of ['/trace', '/trace/requests']) {
    assert.equal(await asked(path, { Host: 'api.example' }), 200);
    assert.equal(await asked(path, { Host: 'rebound.example', Origin: 'http://rebound.example' }), 421);
    assert.equal(await asked(path, { Host: 'api.example', Origin: 'http://evil.example' }), 403);
  }
});

test('D43 – --health of a service that answers to one host → the check uses this host', async (t) => {
  for (const allowed of ['api.example', '[2001:db8::1]:8443']) {
    const { port } = await serve(t, { allowedHosts: [allowed] });
    const asked = { ...readSettings([], {}), port };
    assert.equal((await askHealth({ ...asked, allowedHosts: [allowed] })).healthy, true);
    assert.equal((await askHealth({ ...asked, allowedHosts: [] })).healthy, false);
  }
});

const NO_HOSTS = ['https://api.example', 'api.example/path', '*.example', '', 'a b', 'api.example:x', 'user@a.example'];
for (const entry of NO_HOSTS)
  test(`D43 – the entry ${JSON.stringify(entry)} → throws`, () => {
    const message = /^Cannot allow the host ".*": it is not a name or an address; use api/;
    const refused = { name: 'SyntaxError', message };
    assert.throws(() => application([], { allowedHosts: ['localhost', entry] }), refused);
    assert.throws(() => allowedHost(entry), refused);
  });

test('D43 – hosts that are not a list → throws', () =>
  assert.throws(() => application([], { allowedHosts: 'api.example' as never }), TypeError));
