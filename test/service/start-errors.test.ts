/** Tests the lines and the exit code for each error of a start (D32). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginError } from '../../src/core/application/plugin.ts';
import { StoreError } from '../../src/plugins/collection/store-error.ts';
import { ListenError } from '../../src/service/listening.ts';
import { SettingsError } from '../../src/service/settings/settings.ts';
import { assertResolvable, startError } from '../../src/service/start-errors.ts';

const byFlag = (key: string): string => `--${key}`;
const byVariable = (key: string): string => key.toUpperCase();

const refused = (code: string, host = '127.0.0.1', more = {}) =>
  new ListenError({ host, port: 80, ...more }, Object.assign(new Error(), { code }));

test('D32 – a port in use, and an address that the machine lacks → one line each, exit code 1', () => {
  for (const [code, cause, flag, variable] of [
    ['EADDRINUSE', 'another program listens there; stop it, or choose another', '--port', 'PORT'],
    [
      'EADDRNOTAVAIL',
      'this machine does not have the address; choose another',
      ...(['--host', 'HOST, or set TODO_HOST if HOST is meant for another program'] as const),
    ],
  ] as const)
    for (const [nameOf, name] of [
      [byFlag, flag],
      [byVariable, variable],
    ] as const)
      assert.deepEqual(startError(refused(code), nameOf), {
        lines: [`Cannot listen on "127.0.0.1:80": ${cause} ${name}`],
        exitCode: 1,
      });
});

test('D32 – the system denies listening on a port from a variable → one line with the variable, not the flag', () => {
  for (const code of ['EACCES', 'EAFNOSUPPORT', 'EMFILE', 'constructor']) {
    const { lines, exitCode } = startError(refused(code), byVariable);
    assert.deepEqual([lines.length, exitCode], [1, 1]);
    assert.match(lines[0]!, /^Cannot listen on "127\.0\.0\.1:80": [^-]+$/);
  }
  const { lines } = startError(refused('EADDRNOTAVAIL', '2001:db8::1'), byFlag);
  assert.match(lines[0]!, /^Cannot listen on "\[2001:db8::1\]:80": /);
  const { lines: ofAdmin } = startError(refused('EADDRINUSE', '::1', { isAdmin: true }), byFlag);
  assert.match(ofAdmin[0]!, /choose another --adminPort$/);
});

test('D32 – Node lacks the permission for the network → one line with the option, exit code 2', () => {
  const cause = Object.assign(new Error(), { code: 'ERR_ACCESS_DENIED', permission: 'Net', resource: '' });
  assert.deepEqual(startError(new ListenError({ host: '127.0.0.1', port: 80 }, cause), byFlag), {
    lines: ['Cannot start: Node has no right to the network; start it with --allow-net'],
    exitCode: 2,
  });
});

const FORGED = 'x\nCannot y\r\u001b[31m\u0085\u009b2J\u2028\u202ez';
const SHOWN = 'x Cannot y \\u001b[31m \\u009b2J \\u202ez';
const fault = (reason: string, name = 'x.js'): PluginError => new PluginError('Cannot load the plugin', name, reason);

const unstarted = (reason: string, cause?: unknown): PluginError =>
  new PluginError('Cannot start the plugin', 'db', reason, { cause });

/** Errors with their lines and exit codes. */
for (const [what, error, lines, exitCode] of [
  ['an invalid setting', new SettingsError('Cannot use it'), ['Cannot use it'], 2],
  ['several invalid settings', new SettingsError('Cannot use a', 'Cannot use b'), ['Cannot use a', 'Cannot use b'], 2],
  ['a setting that forges a line', new SettingsError(`Cannot use "${FORGED}"`), [`Cannot use "${SHOWN}"`], 2],
  [
    'a plugin file',
    fault('it has no name;\n give it one'),
    ['Cannot use PLUGIN "x.js": it has no name; give it one'],
    2,
  ],
  [
    'a plugin file that forges a line',
    fault(`it fails with "${FORGED}"`),
    [`Cannot use PLUGIN "x.js": it fails with "${SHOWN}"`],
    2,
  ],
  ['a plugin file whose name forges a line', fault('no', FORGED), [`Cannot use PLUGIN "${SHOWN}": no`], 2],
  [
    'two plugin files',
    new AggregateError([fault('one'), fault('two')]),
    ['Cannot use PLUGIN "x.js": one', 'Cannot use PLUGIN "x.js": two'],
    2,
  ],
  [
    'an invalid setting and a system error',
    new AggregateError([new SettingsError('Cannot use a'), new Error('disk')]),
    ['Cannot use a', 'Cannot start: disk'],
    1,
  ],
  [
    'a store that cannot be opened',
    new StoreError('"a"', 'full; make room'),
    ['Cannot keep items in "a": full; make room'],
    2,
  ],
  [
    'a temporary store error as the cause',
    new Error('x', { cause: new StoreError('"a"', 'locked', { isTemporary: true }) }),
    ['Cannot keep items in "a": locked'],
    1,
  ],
  ['a plugin whose start fails', unstarted('no disk'), ['Cannot start the plugin "db": no disk'], 2],
  ['a plugin whose start throws null', unstarted('null'), ['Cannot start the plugin "db": null'], 2],
  ['a plugin whose start forges a line', unstarted(FORGED), [`Cannot start the plugin "db": ${SHOWN}`], 2],
  [
    'a plugin whose start lacks a right of --permission',
    unstarted('Access', Object.assign(new Error('Access'), { code: 'ERR_ACCESS_DENIED', permission: 'Net' })),
    ['Cannot start the plugin "db": Access'],
    2,
  ],
  [
    'a plugin whose store may come back',
    unstarted('x', new StoreError('"a"', 'locked', { isTemporary: true })),
    ['Cannot keep items in "a": locked'],
    1,
  ],
  [
    'a plugin whose store does not come back',
    unstarted('x', new StoreError('"a"', 'damaged')),
    ['Cannot keep items in "a": damaged'],
    2,
  ],
  [
    'a damaged store',
    new StoreError('"a"', 'damaged; copy a backup to "a"', { code: 'DAMAGED' }),
    ['Cannot keep items in "a": damaged; copy a backup to "a" with --copy-store BACKUP FILE'],
    2,
  ],
  [
    'a store that Node does not have',
    new StoreError('"a"', 'no SQLite; take another store', { code: 'NO_SQLITE' }),
    ['Cannot keep items in "a": no SQLite; take another store, such as --store redis://…'],
    2,
  ],
  ['an error of two lines', new Error('first\n  second'), ['Cannot start: first second'], 1],
  ['an error that forges a line', new Error(FORGED), [`Cannot start: ${SHOWN}`], 1],
  ['a text', 'no luck', ['Cannot start: no luck'], 1],
  ['null', null, ['Cannot start: null'], 1],
  ['undefined', undefined, ['Cannot start: undefined'], 1],
] as const)
  test(`D32 – ${what} → exit code ${exitCode} and ${JSON.stringify(lines)}`, () =>
    assert.deepEqual(startError(error, byVariable), { lines, exitCode }));

for (const name of ['--host', 'HOST'])
  test(`D32 – ${name} is not an address and does not resolve → exit code 1, so that a supervisor restarts the service`, async () => {
    const error = await assertResolvable('no-such-host.invalid', name).catch((reason: unknown) => reason);
    const { lines, exitCode } = startError(error, byFlag);
    const line = `Cannot use ${name} "no-such-host.invalid": it is not an address, and the name does not resolve; `;
    assert.deepEqual([lines.length, exitCode], [1, 1]);
    assert.ok(lines[0]!.startsWith(line));
  });

test('D32 – addresses and names that resolve → valid', async () => {
  for (const host of ['127.0.0.1', '::', '0.0.0.0', 'localhost']) await assertResolvable(host, '--host');
});
