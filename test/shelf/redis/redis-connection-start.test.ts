/** The start of a process with Redis: exit codes and error lines, none with the password (D85). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { StoreError } from '../../../src/plugins/collection/store-error.ts';
import { assertPlace } from '../../../src/service/item-store.ts';
import { readSettings, SettingsError } from '../../../src/service/settings/settings.ts';
import { type RunningService, spawnService, startService } from '../../abuse/running-service.ts';
import { ask } from '../../support/ask.ts';
import { CERTIFICATE, KEY } from '../../support/certificate.ts';
import {
  CLIENT_FOLDER,
  ENGINES,
  freePort,
  noEngine,
  type RunningEngine,
  startEngine,
} from '../../support/lasting-stores.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

/** Contains every character that could cause trouble in a URL, a shell or a log. */
const PASSWORD = 'p@ss:/?#[]%25 é"\\+&=x';
const ESCAPED = encodeURIComponent(PASSWORD);
const USER = ['--user', 'todo:user', 'on', `>${PASSWORD}`, '~*', '+@all'];
const folder = temporaryFolder({
  'key.pem': KEY,
  'certificate.pem': CERTIFICATE,
  'broken/redis/index.js': 'throw new Error("it is broken");',
});
const CA = join(folder, 'certificate.pem');
const FILES = ['--tls-ca-cert-file', CA, '--tls-cert-file', CA, '--tls-key-file', join(folder, 'key.pem')];

type Variables = Record<string, string | undefined>;

/** The output and the exit code of a process. `variables` replace the environment variables of this process. */
async function ended(store: string, flags: readonly string[], variables: Variables = {}) {
  const env = { NODE_PATH: CLIENT_FOLDER, ...variables };
  const { child, exited, errors } = spawnService({ flags: ['--store', store, ...flags], env });
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const closed = once(child, 'close');
  const { code } = await exited;
  await closed;
  return { code, output, lines: errors().split('\n').slice(0, -1) };
}

async function started(t: TestContext, store: string, variables: Variables = {}): Promise<RunningService> {
  const flags = ['--store', store, '--health-checks', 'on'];
  const service = await startService({ flags, env: { NODE_PATH: CLIENT_FOLDER, ...variables } });
  t.after(() => service.stop('SIGKILL'));
  return service;
}

async function assertWorks({ port }: { readonly port: number }): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const body = '{"name":"New"}';
  assert.equal((await ask(port, { method: 'POST', target: '/api/todo', headers, body })).status, 201);
  const names = (await ask(port, { target: '/api/todo' })).json().map(({ name }: { readonly name: string }) => name);
  assert.deepEqual(names, ['Item1', 'New']);
}

const UNREACHABLE = '.+; start the server, or correct the URL$';
const keeping = (place: string, fault: string): RegExp => new RegExp(`^Cannot keep items in "${place}": ${fault}`);
const INSTALL = 'run "npm install --ignore-scripts --prefix client redis", and add client/node_modules to NODE_PATH$';

const NO_CERTIFICATE = /: its certificate needs TLS and two PEM files; give rediss:/;
for (const [question, store, says = /: it is not a URL of Redis; give one such as redis:/] of [
  ['a path that is not a number', 'redis://todo:secret@host/abc'],
  ['no host', 'redis://'],
  ['a user and no host', 'redis://todo:secret@'],
  ['two servers', 'redis://todo:secret@one,two'],
  ['a bare slash in the password', 'redis://todo:se/secret@host/0'],
  ['a bare number sign in the password', 'redis://todo:se#secret@host/0'],
  ['a bare percent sign in the password', 'redis://todo:100%secret@host/0'],
  ['an escape that is not UTF-8', 'redis://todo:%ffsecret@host/0'],
  [
    'nodes of a cluster',
    'redis-cluster://todo:secret@one,two/0',
    /: it is neither a file nor a URL of Redis; give todo\.db or redis:\/\/user:password@host$/,
  ],
  [
    'an invalid name of the list',
    'redis://todo:secret@host/0?list=a%20b',
    /: the name of its list is invalid; use letters/,
  ],
  ['a password as a parameter', 'redis://host/0?password=secret', /: it has an unknown parameter; use \?list=/],
  ['a certificate without a key', 'rediss://todo:secret@host/0?cert=a.pem', NO_CERTIFICATE],
  ['a certificate without TLS', 'redis://todo:secret@host/0?cert=a&key=b', NO_CERTIFICATE],
  ['the text of a key', 'rediss://host?cert=a&key=-----BEGIN%20PRIVATE%20KEY-----secret', NO_CERTIFICATE],
] as const)
  test(`D85 – a URL with ${question} → invalid before the service starts, one line without the password`, async () => {
    await assert.rejects(
      async () => assertPlace(readSettings(['--store', store], {}).store),
      (error: Error) => {
        assert.ok(error instanceof SettingsError || (error instanceof StoreError && !error.isTemporary), String(error));
        assert.match(error.message, says);
        assert.doesNotMatch(error.message, /secret|\n/);
        return true;
      },
    );
  });

for (const engine of ENGINES)
  describe(`D85 – starting with ${engine}`, { skip: noEngine(engine) }, () => {
    let running: RunningEngine;
    let closed: number;
    let secure: number;
    /** The URL of a new list, with a user and a password. */
    const withUser = (user: string, password: string, url = running.url()): string =>
      url.replace('//', `//${encodeURIComponent(user)}:${password}@`);
    before(async () => {
      [closed, secure] = [await freePort(), await freePort()];
      const tls = ['--tls-port', String(secure), '--tls-auth-clients', 'yes', ...FILES];
      running = await startEngine(engine, ...tls, ...USER);
    });
    after(() => running.stop());

    type Row = readonly [question: string, code: 1 | 2, store: () => string, message: RegExp, variables?: object];
    const FAILS: readonly Row[] = [
      ['no engine', 1, () => `redis://todo:secret@127.0.0.1:${closed}`, keeping('redis://127.0.0.1:\\d+', UNREACHABLE)],
      [
        'a host that does not resolve',
        1,
        () => 'redis://:secret@nowhere.invalid',
        keeping('redis://nowhere.invalid', UNREACHABLE),
      ],
      [
        'a wrong password',
        2,
        () => withUser('todo:user', 'secret'),
        /": the server answers "WRONGPASS .+"; correct the URL, the rights of the user, or the settings of the server$/,
      ],
      [
        'the package is missing',
        2,
        () => running.url(),
        keeping('redis:[^"]+', `the package "redis" cannot be loaded \\(Cannot find module 'redis'\\); ${INSTALL}`),
        { NODE_PATH: undefined },
      ],
      [
        'the package cannot be loaded',
        2,
        () => running.url(),
        keeping('redis:[^"]+', `the package "redis" cannot be loaded \\(it is broken\\); ${INSTALL}`),
        { NODE_PATH: join(folder, 'broken') },
      ],
      [
        'TLS with a self-signed certificate',
        2,
        () => `rediss://:secret@localhost:${secure}`,
        /self-signed certificate.*; name the authority of the certificate in NODE_EXTRA_CA_CERTS$/,
      ],
      [
        'TLS on a port without it',
        1,
        () => `rediss://:secret@localhost:${running.port}`,
        keeping('rediss:[^"]+', UNREACHABLE),
      ],
    ];
    for (const [question, code, store, message, variables = {}] of FAILS)
      test(`D85 – ${question} → exit code ${code}, one line without the password`, async () => {
        const begin = performance.now();
        const wait = ['--store-wait', code === 2 ? '60s' : '0'];
        const { lines, output, ...exit } = await ended(store(), wait, { ...variables });
        assert.equal(lines.length, 1, lines.join('\n'));
        assert.match(lines[0]!, message);
        assert.equal(exit.code, code);
        assert.equal(output, '');
        assert.doesNotMatch(lines[0]!, /secret/);
        assert.ok(performance.now() - begin < 15_000, 'the start was tried again');
      });

    test('D85 – an engine that comes up later → the service starts; no line shows the password', async (t) => {
      await running.kill();
      const flags = ['--store', withUser('todo:user', ESCAPED), '--store-wait', '30s'];
      const { child, exited, errors } = spawnService({ flags, env: { NODE_PATH: CLIENT_FOLDER } });
      t.after(() => child.kill('SIGKILL'));
      let output = '';
      child.stdout!.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      await until(() => errors() !== '', 'the first attempt', 20_000);
      await running.restart();
      await until(() => /Page/.test(output) || child.exitCode !== null, 'the service listens', 20_000);
      const port = Number(/:(\d+)\/api\/todo\n/.exec(output)?.[1]);
      await assertWorks({ port });
      child.kill('SIGTERM');
      assert.equal((await exited).code, 0);
      const lines = errors().trimEnd().split('\n');
      assert.equal(lines.length, 1, errors());
      assert.match(JSON.parse(lines[0]!).message, /cannot be reached yet: .+; trying for 30 s$/);
      assert.ok(!errors().includes('p@ss') && !errors().includes('p%40ss'), errors());
    });

    test('D85 – user and password with special characters → works; the log of a loss and a return shows neither', async (t) => {
      const service = await started(t, withUser('todo:user', ESCAPED));
      await assertWorks(service);
      await running.kill();
      await until(() => /cannot be reached/.test(service.errors()), 'the loss is noticed');
      await running.restart();
      const isUp = async () => (await ask(service.port, { target: '/ready' })).text.includes('"store":"up"');
      await until(isUp, 'the store is reached again', 20_000);
      assert.ok(!/p@ss|p%40ss|todo:user|todo%3Auser/.test(service.errors()), service.errors());
      assert.equal(service.errors().trimEnd().split('\n').length, 2, service.errors());
      assert.equal((await service.stop()).code, 0);
    });

    test('D85 – TLS with a certificate of this client, user and password → works', async (t) => {
      const files = `cert=${encodeURIComponent(CA)}&key=${encodeURIComponent(join(folder, 'key.pem'))}`;
      const url = withUser('todo:user', ESCAPED, `rediss://localhost:${secure}/0?list=secure&${files}`);
      const service = await started(t, url, { NODE_EXTRA_CA_CERTS: CA });
      await assertWorks(service);
      assert.equal(service.errors(), '');
    });

    test('D85 – an engine with requirepass → exit code 2 without the password, works with it', async (t) => {
      const guarded = await startEngine(engine, '--requirepass', 'secret');
      t.after(() => guarded.stop());
      const { lines, code } = await ended(guarded.url(), ['--store-wait', '60s']);
      assert.equal(lines.length, 1);
      assert.match(
        lines[0]!,
        /the server answers "NOAUTH .+"; correct the URL, the rights of the user, or the settings of the server$/,
      );
      assert.equal(code, 2);
      await assertWorks(await started(t, guarded.url().replace('//', '//:secret@')));
    });

    test('D85 – 4 processes start at once with a new list → all have the same single Item1', async (t) => {
      const url = running.url();
      const services = await Promise.all(Array.from({ length: 4 }, () => started(t, url)));
      const lists = await Promise.all(services.map(({ port }) => ask(port, { target: '/api/todo' })));
      assert.equal(lists[0]!.json().length, 1);
      for (const { text, headers } of lists)
        assert.deepEqual([text, headers['etag']], [lists[0]!.text, lists[0]!.headers['etag']]);
    });
  });
