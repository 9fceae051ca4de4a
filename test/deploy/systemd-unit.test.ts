/** Tests `todo.service` and `todo@.service` (D111). `main.test.ts` tests the exit codes of the program. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { textOf } from '../house/source-files.ts';
import { oneFile } from '../release/one-file.ts';
import { ask } from '../support/ask.ts';
import { CLIENT_FOLDER, freePort, noEngine, startEngine } from '../support/lasting-stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const UNITS = {
  'todo.service': textOf('src/deploy/todo.service'),
  'todo@1.service': textOf('src/deploy/todo@.service'),
};
type Name = keyof typeof UNITS;
const NAMES = Object.keys(UNITS) as readonly Name[];
const linesOf = (unit: string, section: string): string[] =>
  (unit.split(/^(?=\[)/m).find((text) => text.startsWith(`[${section}]\n`)) ?? '').split('\n');

for (const name of NAMES)
  test(`D111 – ${name} → retries a start that failed with code 1 forever, but not with code 2 or 9`, () => {
    // systemd reads the limit only in the first of the two sections.
    assert.ok(linesOf(UNITS[name], 'Unit').includes('StartLimitIntervalSec=0'));
    for (const line of ['Restart=on-failure', 'RestartSec=2s', 'RestartPreventExitStatus=2 9'])
      assert.ok(linesOf(UNITS[name], 'Service').includes(line), line);
  });

test('D87 – the two units → have the same rights, one user for all instances, and a separate access log', () => {
  const [one, several] = NAMES.map((name) => UNITS[name].slice(UNITS[name].indexOf('UMask=')));
  assert.equal(several, one);
  for (const line of ['User=todo', 'StandardError=journal'])
    assert.ok(linesOf(UNITS['todo@1.service'], 'Service').includes(line), line);
});

for (const name of NAMES)
  test(`D111 – ${name} → has the rights for the Node that the page installs`, () => {
    const [, major] = /nodesource\.com\/node_(\d+)\.x/.exec(textOf('src/guide/operate/README.md'))!;
    assert.equal(UNITS[name].includes(' --permission --allow-net '), Number(major) >= 26);
  });

const skip = spawnSync('systemd-analyze', ['--version']).error !== undefined && 'there is no systemd-analyze here';

/** Returns the output and the exit code of systemd-analyze for the unit. Without errors: no output, and 0. */
function analyzed(name: Name, ...given: readonly string[]) {
  const folder = temporaryFolder({
    [name]: UNITS[name].replace('/usr/bin/node', process.execPath),
    'todo.service.d/log.conf': /```ini\n([^]*?)```/.exec(textOf('src/guide/operate/monitoring.md'))![1]!,
  });
  const { status, stderr } = spawnSync('systemd-analyze', [...given, join(folder, name)], { encoding: 'utf8' });
  return [status, stderr];
}

for (const name of NAMES) {
  test(`D111 – ${name} → systemd finds no error`, { skip }, () => assert.deepEqual(analyzed(name, 'verify'), [0, '']));

  test(`D111 – ${name} → has an exposure of at most 2.0`, { skip }, () =>
    assert.deepEqual(analyzed(name, 'security', '--no-pager', '--offline=true', '--threshold=20'), [0, '']),
  );
}

/** Starts an instance of the template below `folder`, as systemd does, without other environment variables. */
function startInstance(t: TestContext, folder: string, instance: string) {
  const unit = UNITS['todo@1.service']
    .replace(/ \\\n/g, '')
    .replaceAll('%i', instance)
    .replaceAll('%d', join(folder, 'credentials'))
    .replaceAll(/\/(?:opt|etc|var\/log)\/todo/g, (path) => join(folder, path));
  const valuesOf = (name: string): string[] =>
    linesOf(unit, 'Service').flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));
  const variables = [
    ...valuesOf('Environment').flatMap((line) => line.split(' ')),
    ...valuesOf('EnvironmentFile').flatMap((file) => readFileSync(file, 'utf8').trim().split('\n')),
  ];
  for (const credential of valuesOf('LoadCredential')) {
    const [name = '', file = ''] = credential.split(':');
    cpSync(file, join(folder, 'credentials', name));
  }
  const [, ...words] = valuesOf('ExecStart')[0]!.split(/ +/);
  const [output = ''] = valuesOf('StandardOutput').map((value) => value.replace(/^append:/, ''));
  const allowed = words.filter((word) => MAJOR >= 26 || word !== '--allow-net');
  const child = spawn(process.execPath, allowed, {
    cwd: '/',
    env: Object.fromEntries(variables.map((line) => line.split(/=(.*)/s) as [string, string])),
    stdio: ['ignore', openSync(output, 'a'), 'pipe'],
  });
  t.after(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return { child, ended: once(child, 'close'), errors: () => errors, log: () => readFileSync(output, 'utf8') };
}

const [MAJOR = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isAble = process.platform === 'linux' && (MAJOR > 22 || (MAJOR === 22 && minor >= 13));

test('D87 – todo@.service: two instances as systemd starts them → share a port and a store, with separate metrics and logs', {
  skip: noEngine('redis-server') || (!isAble && 'it takes Linux and Node 22.13 or newer'),
  timeout: 120_000,
}, async (t) => {
  const engine = await startEngine('redis-server', '--appendonly', 'no', '--requirepass', 'secret');
  t.after(() => engine.stop());
  const folder = temporaryFolder({
    'opt/todo/todo.cjs': await oneFile({ version: '1.0.0', commit: 'unknown', modified: 0 }),
    'etc/todo/store': `${engine.url().replace('redis://', 'redis://:secret@')}\n`,
    'var/log/todo/other.log': '',
  });
  cpSync(CLIENT_FOLDER, join(folder, 'opt/todo/node_modules'), { recursive: true });
  const port = await freePort();
  const instances = [];
  for (const instance of ['1', 'blue']) {
    const adminPort = await freePort();
    writeFileSync(join(folder, `etc/todo/${instance}.env`), `PORT=${port}\nTODO_ADMIN_PORT=${adminPort}\n`);
    instances.push({ adminPort, ...startInstance(t, folder, instance) });
  }
  const headers = { 'Content-Type': 'application/json', Connection: 'close' };
  for (const { adminPort, log, errors } of instances) {
    const isOver = () => log().includes('The service listens') || errors().includes('Cannot');
    await until(isOver, 'the instance has started', 60_000);
    assert.equal((await ask(adminPort, { target: '/ready' })).status, 200, errors());
    assert.match((await ask(adminPort, { target: '/metrics' })).text, /^process_open_fds [1-9]/m);
    await until(
      async () => {
        const made = { method: 'POST', target: '/api/todo', headers, body: '{"name":"kept"}' };
        assert.equal((await ask(port, made)).status, 201);
        return log().includes('"path":"/api/todo"');
      },
      'a request reaches the instance',
      60_000,
    );
  }
  for (const { child, ended, errors } of instances) {
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null], errors());
    assert.doesNotMatch(errors(), /^(?!.*Warning: The flag|.*--trace-warnings).+$/m);
  }
  for (const { log } of instances)
    for (const line of log().trim().split('\n')) assert.equal(typeof JSON.parse(line).time, 'string', line);
});
