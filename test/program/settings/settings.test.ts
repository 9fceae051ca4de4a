/** Tests the settings and the errors that a command line and an environment give (D32). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import {
  actionOf,
  defaults,
  givenSettings,
  readSettings,
  SettingsError,
} from '../../../src/program/settings/settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { REFUSED_LINES, REFUSED_VALUES, TAKEN } from './settings.cases.ts';

for (const { clause, argv, environment, want } of TAKEN) {
  test(`${clause} – ${JSON.stringify([argv, environment])} → taken`, () => {
    assert.deepEqual(readSettings(argv, environment), { ...defaults(), ...want });
  });
}

for (const { clause, name, value, because } of REFUSED_VALUES) {
  test(`${clause} – ${name} ${JSON.stringify(value)} → refused`, () => {
    const [line = '', ...more] = refusals(
      name.startsWith('-') ? [name, value] : [],
      name.startsWith('-') ? {} : { [name]: value },
    );
    assert.ok(line.startsWith(`Cannot use ${name} ${JSON.stringify(value)}: ${because}`), line);
    assert.deepEqual(more, []);
  });
}

for (const { clause, argv, environment, says } of REFUSED_LINES) {
  test(`${clause} – ${JSON.stringify([argv, environment])} → refused`, () =>
    assert.deepEqual(refusals(argv, environment), says));
}

function refusals(argv: readonly string[], environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    readSettings(argv, environment);
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    assert.equal(error.exitCode, 2);
    for (const line of error.lines) assert.match(line, /^[^\r\n]+$/);
    assert.equal(error.message, error.lines.join('\n'));
    return error.lines;
  }
  assert.fail('nothing was refused');
}

for (const [argv, environment, name] of [
  [[], {}, '--port'],
  [['--port', '1'], {}, '--port'],
  [[], { PORT: '1' }, 'PORT'],
  [['--port=1'], { PORT: '1' }, '--port'],
  [[], { PORT: '' }, '--port'],
  [['--port'], { PORT: '1' }, 'PORT'],
] as const) {
  test(`D32 – ${JSON.stringify([argv, environment])} → the port is changed with ${name}`, () => {
    assert.equal(givenSettings(argv, environment).nameOf('port'), name);
  });
}

test('D32 – a value of a megabyte → a line that can be read', () => {
  assert.throws(
    () => readSettings(['--port', '9'.repeat(2 ** 20)], {}),
    ({ message }: Error) => message.length < 300,
  );
});

test('D32 – the defaults → those of the decision', () => {
  const { port, host, basePath, staticRoot, propertyNaming, model, comments } = defaults();
  assert.deepEqual(
    { port, host, basePath, staticRoot },
    { port: 8080, host: '127.0.0.1', basePath: '', staticRoot: undefined },
  );
  assert.deepEqual({ propertyNaming, model, comments }, { propertyNaming: 'camelCase', model: 'base', comments: true });
});

for (const [argv, action] of [
  [[], 'serve'],
  [['--port', '1'], 'serve'],
  [['--help'], 'help'],
  [['-h'], 'help'],
  [['--version'], 'version'],
  [['--health'], 'health'],
  [['--port', 'x', '--nonsense', '--help'], 'help'],
  [['--version', '--help'], 'help'],
  [['--health', '-h'], 'help'],
  [['--health', '--version'], 'health'],
  [['--title', '--help'], 'serve'],
  [['help'], 'serve'],
] as const) {
  test(`D32 – ${JSON.stringify(argv)} → ${action}`, () => assert.equal(actionOf(argv), action));
}

test('operation log – descriptors of this process → those that a redirection may have opened are taken', {
  skip: process.platform !== 'linux' && 'needs mkfifo, /dev/full and the descriptors of Node on Linux',
}, (t) => {
  const folder = temporaryFolder({ 'access.log': '' });
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  const opened = (path: string, flags: string): number => {
    const descriptor = openSync(resolve(folder, path), flags);
    t.after(() => closeSync(descriptor));
    return descriptor;
  };
  const ofNode = Array.from({ length: 64 }, (_, at) => at).filter((at) => {
    try {
      return at > 2 && fstatSync(at).isFIFO();
    } catch {
      return false;
    }
  });
  assert.ok(ofNode.length >= 4, 'Node has pipes of its own');
  const argv = (descriptor: number) => ['--access-log', String(descriptor)];
  for (const descriptor of [opened('access.log', 'a'), opened('fifo', 'r+'), opened('/dev/full', 'w')])
    assert.equal(readSettings(argv(descriptor), {}).accessLog, descriptor);
  for (const descriptor of [opened('access.log', 'r'), opened('.', 'r'), ...ofNode])
    assert.match(refusals(argv(descriptor), {}).join(), /: the descriptor is nothing that lines can be written to, or/);
});
