/**
 * Tests that `compose.yml` and `kubernetes.yml` match the program and its image, and that the service runs with them
 * (D120). `npm run test:manifests` validates them against their schemas.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { GivenSettings, readSettings } from '../../src/service/settings/settings.ts';
import { ROWS, variableOf } from '../../src/service/settings/table.ts';
import { spawnService } from '../abuse/running-service.ts';
import { textOf } from '../house/source-files.ts';
import { oneFile } from '../release/one-file.ts';
import { CLIENT_FOLDER, noEngine, noSqlite, startEngine } from '../support/lasting-stores.ts';
import { table } from '../support/table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Variables = Readonly<Record<string, string>>;

const compose = textOf('src/deploy/compose.yml');
const kubernetes = textOf('src/deploy/kubernetes.yml');
const dockerfile = textOf('Dockerfile');
const readme = textOf('README.md');
const { version } = JSON.parse(textOf('package.json')) as { readonly version: string };

/** Returns the only match of a pattern in a text. */
function only(text: string, pattern: RegExp): string {
  const found = [...text.matchAll(new RegExp(pattern, 'gm'))];
  assert.equal(found.length, 1, `${pattern} is there ${found.length} times`);
  return found[0]![1]!;
}
const variablesIn = (text: string, pattern: RegExp): Variables =>
  Object.fromEntries(Array.from(text.matchAll(pattern), ([, name, value]) => [name!, value!]));
/** Converts `15s` and `30` to milliseconds. */
const time = (text: string): number => Number(text.replace(/s$/, '')) * 1000;

const [, USER = '', GROUP = ''] = /^USER (\d+):(\d+)$/m.exec(dockerfile) ?? [];
const ofImage = variablesIn(only(dockerfile, /^ENV (.*)$/), /(\S+)=(\S+)/g);
const VARIABLES = {
  'compose.yml': variablesIn(only(compose, /^ {4}environment:\n((?: {6}.*\n)+)/), /^ {6}(\w+): "?(.*?)"?$/gm),
  'kubernetes.yml': variablesIn(kubernetes, /^ +- name: ([A-Z_]+)\n +value: "?(.*?)"?$/gm),
} as const satisfies Readonly<Record<string, Variables>>;

/** A probe of a container: its path, its port, and the time until it fails. */
function probe(name: string) {
  const text = only(kubernetes, new RegExp(`^ {10}${name}:\\n((?: {12,}.*\\n)+)`));
  const period = time(only(text, /periodSeconds: (\d+)/));
  const failures = Number(/failureThreshold: (\d+)/.exec(text)?.[1] ?? 3);
  return { path: only(text, /path: (\S+)/), port: only(text, /port: (\S+)/), failsAfter: period * failures };
}
const STARTUP = probe('startupProbe');
const READINESS = probe('readinessProbe');
const LIVENESS = probe('livenessProbe');

const folder = temporaryFolder();
const program = join(folder, 'todo.cjs');
/** Runs as the user of the image without capabilities. Only one folder of the file system is writable. */
const inContainer = (writable: string): readonly string[] => [
  ...['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" "$0" && mount -o remount,bind,ro / && exec "$@"', writable],
  ...['setpriv', `--reuid=${USER}`, `--regid=${GROUP}`, '--clear-groups', '--bounding-set=-all', '--no-new-privs'],
];
const [command = '', ...words] = [...inContainer(folder), process.execPath, '--version'];
chmodSync(folder, 0o755);
const noContainer =
  spawnSync(command, words).status !== 0 && 'it takes root, unshare, setpriv, and a Node that others may run';

// Before the first test, because the folder is removed when no test runs.
if (!noContainer) writeFileSync(program, await oneFile({ version, commit: 'unknown', modified: 0 }), { mode: 0o644 });

for (const [file, given] of Object.entries(VARIABLES))
  test(`D120 – ${file}: each variable → is a setting with a valid value`, () => {
    assert.ok(Object.keys(given).length > 1);
    const known = new Set<string>(ROWS.map(([key]) => variableOf(key)));
    for (const name of Object.keys(given)) assert.ok(known.has(name), name);
    // The file of the store is in the container alone.
    const environment = { ...ofImage, ...given, ...(given['TODO_STORE']?.startsWith('@') && { TODO_STORE: '' }) };
    readSettings([], environment);
    assert.deepEqual(new GivenSettings([], environment).warnings, []);
  });

const settings = {
  'compose.yml': readSettings([], { ...ofImage, ...VARIABLES['compose.yml'] }),
  'kubernetes.yml': readSettings([], { ...ofImage, ...VARIABLES['kubernetes.yml'], TODO_STORE: '' }),
};
const adminPortOf = (file: keyof typeof settings): string => String(settings[file].adminPort);
const stopTime = ({ drainDelay, shutdownGrace }: { drainDelay: number; shutdownGrace: number }): number =>
  drainDelay + shutdownGrace;
const storeFile = VARIABLES['kubernetes.yml']['TODO_STORE']!.slice(1);
const runtimeFiles = textOf('test/release/runtime-files.sh');
const asked = [STARTUP, READINESS, LIVENESS].map(({ port }) => port);
const portOf = (name: string): string => only(kubernetes, new RegExp(`- name: ${name}\\n +containerPort: (\\d+)`));

table(
  (
    [
      ['compose.yml', 'its image', only(compose, /image: (\S+)/), `todo-item-service:${version}`],
      ['compose.yml', 'its volume', only(compose, /- items:(\S+)/), dirname(settings['compose.yml'].store)],
      ['compose.yml', 'the volume in the image', only(runtimeFiles, /"\$to(\/data)"/), '/data'],
      ['compose.yml', 'its port', only(compose, /- 127\.0\.0\.1:8080:(\d+)/), only(dockerfile, /^EXPOSE (\d+)/)],
      ['compose.yml', 'its admin port', only(compose, /- 127\.0\.0\.1:9090:(\d+)/), adminPortOf('compose.yml')],
      [
        'README.md',
        'the image that it builds',
        only(readme, /^docker build -t (\S+) \.$/),
        `todo-item-service:${version}`,
      ],
      [
        'README.md',
        'the image that it runs',
        only(readme, /^docker run .* (\S+) --store/),
        `todo-item-service:${version}`,
      ],
      ['README.md', 'its volume', only(readme, /^docker run .*-v todo:(\S+)/), '/data'],
      ['README.md', 'its file', dirname(only(readme, /^docker run .*--store (\S+)$/)), '/data'],
      ['README.md', 'its port', only(readme, /-p 127\.0\.0\.1:8080:(\d+)/), only(dockerfile, /^EXPOSE (\d+)/)],
      ['kubernetes.yml', 'its image', only(kubernetes, /image: (\S+)/), `todo-item-service-redis:${version}`],
      ['kubernetes.yml', 'its port', portOf('http'), String(settings['kubernetes.yml'].port)],
      ['kubernetes.yml', 'its admin port', portOf('admin'), adminPortOf('kubernetes.yml')],
      ['kubernetes.yml', 'the port of its Service', only(kubernetes, /targetPort: (\w+)/), 'http'],
      ['kubernetes.yml', 'its user', only(kubernetes, /runAsUser: (\d+)/), USER],
      ['kubernetes.yml', 'its group', only(kubernetes, /runAsGroup: (\d+)/), GROUP],
      ['kubernetes.yml', 'who may read its secret', only(kubernetes, /fsGroup: (\d+)/), GROUP],
      ['kubernetes.yml', 'the folder of its secret', only(kubernetes, /mountPath: (\S+)/), dirname(storeFile)],
      ['kubernetes.yml', 'the key of its secret', only(kubernetes, /--from-literal=(\w+)=redis:/), basename(storeFile)],
      ['kubernetes.yml', 'its name', only(kubernetes, /secret generic (\w+)/), only(kubernetes, /secretName: (\w+)/)],
      ['kubernetes.yml', 'what restarts it', LIVENESS.path, '/health'],
      ['kubernetes.yml', 'the ports that are asked', asked.join(), 'admin,admin,admin'],
    ] as const
  ).map(([file, question, said, meant]) => ({
    ...{ clause: 'D120', question: `${file}: ${question}`, answer: `as the program, its image or other lines have it` },
    ...{ said, meant },
  })),
  ({ said, meant }) => assert.deepEqual(said, meant),
);

table(
  (
    [
      [
        'compose.yml: stop_grace_period',
        time(only(compose, /stop_grace_period: (\S+)/)),
        stopTime(settings['compose.yml']),
        '--drain-delay and --shutdown-grace',
      ],
      [
        'kubernetes.yml: terminationGracePeriodSeconds',
        time(only(kubernetes, /terminationGracePeriodSeconds: (\S+)/)),
        stopTime(settings['kubernetes.yml']),
        '--drain-delay and --shutdown-grace',
      ],
      ['kubernetes.yml: the start', STARTUP.failsAfter, settings['kubernetes.yml'].storeWait, '--store-wait'],
      [
        'kubernetes.yml: TODO_DRAIN_DELAY',
        settings['kubernetes.yml'].drainDelay,
        READINESS.failsAfter,
        'the time in which the readiness probe fails',
      ],
    ] as const
  ).map(([question, said, least, what]) => ({ clause: 'D120', question, answer: `longer than ${what}`, said, least })),
  ({ said, least }) => assert.ok(said > least, `${said} ms, at least ${least} ms`),
);

/** Starts the service with these variables and those of the image, requests the probes and stops it. */
async function assertRuns(t: TestContext, given: Variables, writable: string): Promise<void> {
  const { NODE_PATH: _, ...environment } = process.env;
  const { child, exited, errors } = spawnService({
    ...{ home: '/', program: [program], through: inContainer(writable) },
    env: { ...(environment as Variables), ...ofImage, ...given, TODO_ADMIN_PORT: '0', NODE_PATH: '' },
  });
  t.after(() => void child.kill('SIGKILL'));
  const [line = '{}'] = await Promise.race([once(child.stdout!.setEncoding('utf8'), 'data'), exited.then(() => [])]);
  const { url, adminUrl } = JSON.parse(line) as { readonly url?: string; readonly adminUrl?: string };
  const [base, admin] = [url, adminUrl].map((address = '') => {
    assert.match(address, /^http:\/\/(?:\[::\]|0\.0\.0\.0):\d+$/, errors());
    return `http://127.0.0.1:${new URL(address).port}`;
  });
  for (const path of [STARTUP.path, READINESS.path, LIVENESS.path, '/metrics'])
    assert.equal((await fetch(admin + path)).status, 200, path);
  const body = JSON.stringify({ name: 'kept' });
  const headers = { 'Content-Type': 'application/json' };
  assert.equal((await fetch(`${base}/api/todo`, { method: 'POST', headers, body })).status, 201);
  child.kill('SIGTERM');
  assert.deepEqual([await exited, errors()], [{ code: 0, signal: null }, '']);
}

test('D120 – compose.yml: its variables, the user of the image, a read-only file system → serves and persists its items', {
  skip: noContainer || noSqlite,
}, async (t) => {
  const data = temporaryFolder();
  chownSync(data, Number(USER), Number(GROUP));
  const store = join(data, basename(settings['compose.yml'].store));
  await assertRuns(t, { ...VARIABLES['compose.yml'], TODO_STORE: store }, data);
  assert.ok(existsSync(store));
});

test('D120 – kubernetes.yml: its variables, user and secret, with the package redis → serves', {
  skip: noContainer || noEngine('redis-server'),
}, async (t) => {
  const engine = await startEngine('redis-server', '--appendonly', 'no');
  t.after(() => engine.stop());
  cpSync(CLIENT_FOLDER, join(folder, 'node_modules'), { recursive: true });
  const secret = join(folder, basename(storeFile));
  writeFileSync(secret, `${engine.url('todo')}\n`, { mode: 0o440 });
  chownSync(secret, 0, Number(GROUP));
  // The longest time that the test waits.
  await assertRuns(t, { ...VARIABLES['kubernetes.yml'], TODO_STORE: `@${secret}`, TODO_DRAIN_DELAY: '100ms' }, folder);
  assert.equal(engine.command('HLEN', '{todo}:items'), '2');
});
