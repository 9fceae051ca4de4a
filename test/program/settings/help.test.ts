/** Tests what `--help` and `--version` print (D32). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { helpText, version } from '../../../src/program/settings/help.ts';
import { textOf } from '../../house/source-files.ts';

test('D32 – --help → each setting with its unit, default and variable', () => {
  const text = helpText();
  for (const [flag, unit, byDefault, variable] of [
    ['--port PORT', 'number, 0 to 65535', '8080', 'PORT'],
    ['--host HOST', 'address, name or unix:/path', '127.0.0.1', 'HOST'],
    ['--base-path PATH', 'path', '/', 'BASE_PATH'],
    ['--static DIR', 'folder, or off', 'off', 'STATIC_ROOT'],
    ['--max-body SIZE', 'bytes, or with k, m, g; 1 B to 256 MiB', '1 MiB', 'MAX_BODY'],
    ['--request-timeout TIME', 'seconds, or with ms, s, m, h; 100 ms to 1 h', '30 s', 'REQUEST_TIMEOUT'],
    [
      '--max-store-bytes SIZE',
      'bytes, or with k, m, g; 1 KiB to 1024 GiB',
      'a quarter of the heap limit, or an eighth of the container',
      'MAX_STORE_BYTES',
    ],
  ] as const) {
    const at = text.indexOf(`  ${flag}\n`);
    assert.ok(at >= 0, flag);
    assert.equal(text.slice(at).split('\n')[2], `      ${unit} | default: ${byDefault} | variable: ${variable}`);
  }
});

test('D32 – --help → names the actions and fits a terminal', () => {
  const text = helpText();
  for (const action of ['--help, -h', '--version', '--health']) assert.ok(text.includes(`  ${action}\n`), action);
  assert.ok(text.split('\n').every((line) => line.length <= 160));
});

test('D32 – --version, from the sources → the version of package.json, and where it runs from', () => {
  assert.equal(version(), `${JSON.parse(textOf('package.json')).version} (source)`);
});
