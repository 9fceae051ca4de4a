import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { assertResolvable, startError } from '../../src/start-errors.ts';
import { PluginError } from '../../src/host/plugin-error.ts';
import { SettingsError } from '../../src/settings.ts';

const listening = (host: string, port: number): Promise<unknown> => {
  const server = createServer().listen(port, host);
  return once(server, 'listening').then(() => server.close(), (error: unknown) => error);
};

test('D32 – the port is taken → one line, exit code 1', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const error = await listening('127.0.0.1', port);
  assert.deepEqual(startError(error, { host: '127.0.0.1', port }), {
    line: `Cannot listen on "127.0.0.1:${port}": another program listens there; stop it, or choose another --port`, exitCode: 1,
  });
  other.close();
});

test('D32 – an address that the machine lacks → one line, exit code 1', async () => {
  const error = await listening('192.0.2.1', 0);
  assert.deepEqual(startError(error, { host: '192.0.2.1', port: 8080 }), {
    line: 'Cannot listen on "192.0.2.1:8080": this machine does not have the address; choose another --host', exitCode: 1,
  });
});

test('D32 – an IPv6 address is written in brackets', () => {
  const error = Object.assign(new Error(), { code: 'EADDRNOTAVAIL', syscall: 'listen' });
  assert.match(startError(error, { host: '2001:db8::1', port: 80 }).line, /^Cannot listen on "\[2001:db8::1\]:80": /);
});

test('D32 – settings → exit code 2', () => {
  assert.deepEqual(startError(new SettingsError('Cannot use it'), { host: 'x', port: 0 }), { line: 'Cannot use it', exitCode: 2 });
});

test('D32 – a plugin file → one line that names the setting, exit code 2', () => {
  assert.deepEqual(startError(new PluginError('Cannot load the plugin', 'x.js', 'it has no name;\n give it one'), { host: 'x', port: 0 }),
    { line: 'Cannot use --plugin "x.js": it has no name; give it one', exitCode: 2 });
});

test('D32 – anything else → one line, exit code 1', () => {
  assert.deepEqual(startError(new Error('first\n  second'), { host: 'x', port: 0 }), { line: 'Cannot start: first second', exitCode: 1 });
});

test('D32 – a host that is no address and does not resolve → exit code 2', async () => {
  await assert.rejects(assertResolvable('no-such-host.invalid'), (error: unknown) => {
    assert.ok(error instanceof SettingsError);
    assert.match(error.message, /^Cannot use --host "no-such-host\.invalid": it is no address and the name does not resolve; /);
    return true;
  });
});

test('D32 – addresses and names that resolve → taken', async () => {
  for (const host of ['127.0.0.1', '::', '0.0.0.0', 'localhost']) await assertResolvable(host);
});
