/** Tests the settings, the errors of command lines and environments, `--help` and `--version` (D32). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { helpText, version } from '../../../src/service/settings/help.ts';
import { readSettings, SettingsError } from '../../../src/service/settings/settings.ts';
import { commandLine } from '../../../src/service/settings/sources.ts';
import { textOf } from '../../house/source-files.ts';

type Environment = Readonly<Record<string, string>>;
/** Arguments, as a list or as a text with blanks. */
type Arguments = string | readonly string[];
const argumentsOf = (list: Arguments): readonly string[] =>
  typeof list === 'string' ? list.split(' ').filter((text) => text !== '') : list;

/** Arguments and variables, and the settings that differ from the defaults. */
for (const [clause, given, want, environment = {}] of [
  ['D32 no arguments', '', {}],
  ['D32 a flag', '--port 9000', { port: 9000 }],
  ['D32 a flag with an equals sign', '--port=9000', { port: 9000 }],
  ['D32 a variable', '', { port: 9001 }, { PORT: '9001' }],
  ['D32 flag before variable', '--port 9000', { port: 9000 }, { PORT: '9001' }],
  ['D32 a flag hides a wrong variable', '--port 9000', { port: 9000 }, { PORT: 'x' }],
  ['D108 a variable with the prefix wins', '', { port: 9001 }, { TODO_PORT: '9001', PORT: 'of another' }],
  ['D32 an empty variable is not set', '', { port: 2 }, { TODO_PORT: '', PORT: '2', HOST: '', TODO_STATIC: '' }],
  [
    'D108 variables of other programs, and of a service link of Kubernetes',
    '',
    { port: 9001 },
    {
      ...{ TITLE: 'x', TRACE: 'x', STORE: 'x', MAX_BODY: 'x', TODO_PORT: 'tcp://10.96.0.1:80', PORT: '9001' },
      ...{ TODO_ADMIN_PORT: 'tcp://10.96.0.2:80', TODO_ADMIN_SERVICE_HOST: '10.96.0.2' },
    },
  ],
  ['D32 port 0, and minus nothing is nothing', '--port -0', { port: 0 }],
  ['D32 a value that begins with a dash', '--host -h', { host: '-h' }],
  ['D32 a value that begins with two dashes', '--host=--port', { host: '--port' }],
  ['D32 an action beside settings', '--health --port 9000', { port: 9000 }],
  ['D32 host', '', { host: '0.0.0.0' }, { HOST: '0.0.0.0' }],
  ['D32 host in brackets', '--host [::1]', { host: '::1' }],
  ['D32 host with a zone', '--host fe80::1%eth0', { host: 'fe80::1%eth0' }],
  ['D16 base path, slash added', '--base-path todo', { basePath: '/todo' }],
  ['D16 base path, slash removed', '--base-path /a/b/', { basePath: '/a/b' }],
  ['D16 base path / is none', '--base-path /', {}],
  ['D16 base path encoded', '--base-path /%C3%A4', { basePath: '/%C3%A4' }],
  ['D32 static files off', '--static off', {}],
  ['D32 static files off by variable', '', {}, { TODO_STATIC: 'off' }],
  ['D1 casing', '--property-naming PascalCase', { propertyNaming: 'PascalCase' }],
  ['D11 model', '', { model: 'annotated' }, { TODO_MODEL: 'annotated' }],
  ['D17 comments', '--comments off', { comments: false }],
  [
    'D32 sizes',
    ['--max-body', '512', '--max-header-bytes', '4k', '--max-body-memory', '2 MiB', '--max-store-bytes', '1g'],
    { maxBody: 512, maxHeaderBytes: 4096, maxBodyMemory: 2 * 2 ** 20, maxStoreBytes: 2 ** 30 },
  ],
  [
    'D32 times',
    '--write-timeout 2 --request-timeout 1m --drain-delay 500ms --shutdown-grace 1.5s',
    { writeTimeout: 2000, requestTimeout: 60_000, drainDelay: 500, shutdownGrace: 1500 },
  ],
  ['D111 a flag before a variable', '--drain-delay 5s', { drainDelay: 5000 }, { TODO_DRAIN_DELAY: '1h' }],
  ['D49 the memory of bodies follows the longest body', '--max-body 100m', { maxBody: 100 * 2 ** 20 }],
  ['D32 counts', '--max-items 10 --max-connections 50', { maxItems: 10, maxConnections: 50 }],
  [
    'D114 a Unix socket',
    '--host unix:/run/todo/http.sock --trusted-proxies unix',
    { host: 'unix:/run/todo/http.sock', trustedProxies: ['unix'] },
  ],
  [
    'security headers origins',
    ['--cors-origins', 'https://a.example, http://b.example:8080,https://c.example:443/'],
    { corsOrigins: ['https://a.example', 'http://b.example:8080', 'https://c.example'] },
  ],
  ['security headers origins off', '--cors-origins off', {}, { TODO_CORS_ORIGINS: 'https://a.example' }],
  [
    'security headers proxies',
    '--trusted-proxies loopback,10.0.0.0/8,2001:db8::/32',
    { trustedProxies: ['loopback', '10.0.0.0/8', '2001:db8::/32'] },
  ],
  [
    'D43 hosts',
    ['--allowed-hosts', 'api.example, ::1,localhost:80'],
    { allowedHosts: ['api.example', '[::1]', 'localhost:80'] },
  ],
  ['operation log', '--access-log on --log-format json', { accessLog: true, logFormat: 'json' }],
  ['operation checks and figures', '--health-checks on --metrics on', { healthChecks: true, metrics: true }],
  ['plugins', '--plugin /a.js,/b.js', { plugin: ['/a.js', '/b.js'] }],
  ['D117 an admin port', '--admin-port 9090', { adminPort: 9090, healthChecks: true, metrics: true }],
  [
    'D117 an admin port at the port of the service, on another address',
    '--admin-port 8080 --admin-host 10.0.0.5',
    { adminPort: 8080, adminHost: '10.0.0.5', healthChecks: true, metrics: true },
  ],
  [
    'D117 an admin socket has no port',
    '',
    { adminHost: 'unix:/run/admin.sock', healthChecks: true, metrics: true },
    { TODO_ADMIN_HOST: 'unix:/run/admin.sock' },
  ],
  [
    'D117 an admin port without metrics',
    '--admin-port 0',
    { adminPort: 0, healthChecks: true },
    { TODO_METRICS: 'off' },
  ],
] as const)
  test(`${clause} – ${JSON.stringify([given, environment])} → valid`, () =>
    assert.deepEqual(readSettings(argumentsOf(given), environment), { ...readSettings([], {}), ...want }));

for (const [flag, key, value, texts] of [
  [
    '--max-body',
    'maxBody',
    1_572_864,
    ['1.5M', '1.5 m', '1.5MB', '1.5 mib', '1536k', '1536 KB', '1536KiB', '1572864', '1572864 B', '0.0014648437500g'],
  ],
  ['--max-store-bytes', 'maxStoreBytes', 2 ** 40, ['1t', '1 TB', '1TiB', '1024gb']],
  [
    '--request-timeout',
    'requestTimeout',
    90_000,
    [
      ...['90', '90s', '90 sec', '90secs', '90 second', '90 Seconds', '1.5m', '1.5 min', '1.5mins', '1.5 minutes'],
      ...['0.025h', '0.025 hr', '0.025 hours', '90000ms'],
    ],
  ],
] as const)
  test(`D32 – ${flag} ${texts.join(', ')} → ${value}`, () => {
    for (const text of texts) assert.equal(readSettings([flag, text], {})[key], value, text);
  });

const BOUNDS = 'it is out of bounds; give';
const WORDS = 'it is not a known word';
const PORT = 'it is not a whole number; give 0 to 65535';
const ORIGIN = 'it is not an exact origin; give one such as https://app.example:8443';

/** The flag or the variable, the beginning of the error after the name and the value, and invalid values. */
for (const [clause, name, because, ...values] of [
  ['D32 not a whole number', '--port', PORT, '80a', '80.5', '', '+5', '1e3', '0x10', ' 5', '-', 'a\nb'],
  ['D32 not a whole number', 'PORT', PORT, '80a', '80\r'],
  ['D32 out of bounds', '--port', `${BOUNDS} 0 to 65535`, '65536', '-1', '12345678901234567890'],
  ['D32 out of bounds', 'PORT', `${BOUNDS} 0 to 65535`, '-1'],
  ['D32 out of bounds', '--max-connections', `${BOUNDS} 1 to 1000000`, '-1'],
  ['D32 out of bounds', '--max-items', `${BOUNDS} 1 to 1000000000`, '0', '-1'],
  ['D32 out of bounds', '--max-body', `${BOUNDS} 1 B to 256 MiB`, '0', '-5', '12345678901234567890'],
  ['D32 out of bounds', 'TODO_MAX_BODY', `${BOUNDS} 1 B to 256 MiB`, '-5k'],
  ['D32 out of bounds', '--idle-timeout', `${BOUNDS} 100 ms to 1 h`, '0', '-1s', '12345678901234.12345678'],
  ['D32 out of bounds', 'TODO_DRAIN_DELAY', `${BOUNDS} 0 s to 1 h`, '-0.1ms'],
  [
    'D32 size',
    '--max-body',
    'it is neither a number of bytes nor a size such as 512k; give 1 B to 256 MiB',
    ...['1MBit', '1.5', '1.5b', '1.m', '.5m', '1,5m', '1 m b', '1ib', '1e3k', 'm', '1.5.5m', '1\nm', '1constructor'],
  ],
  [
    'D32 time',
    '--idle-timeout',
    'it is neither a number of seconds nor a time such as 500ms; give 100 ms to 1 h',
    '1x',
    '1msec',
    '1mi',
    '1 h m',
    '1h30m',
    '1.s',
    '1 day',
  ],
  ['D32 word', '--comments', `${WORDS}; give on or off`, 'yes', 'no'],
  ['D32 did you mean', '--comments', `${WORDS} (did you mean off?); give on or off`, 'of'],
  ['D32 did you mean', 'TODO_MODEL', `${WORDS} (did you mean annotated?); give base or annotated`, 'anotated'],
  ['D32 did you mean', '--property-naming', `${WORDS} (did you mean camelCase?); give camelCase or`, 'camelcase'],
  ['D1 word', 'TODO_PROPERTY_NAMING', `${WORDS}; give camelCase or PascalCase`, 'snake_case'],
  ['D32 host with a port', '--host', 'it contains a port, which has a separate setting; give the host', 'localhost:80'],
  ['D32 host with a port', 'HOST', 'it contains a port, which has a separate setting; give the host', 'localhost:80'],
  ['D32 host with a scheme', '--host', 'it is neither an address nor a name', 'http://x'],
  ['D114 a socket', '--host', 'its path is not absolute, or has', 'unix:http.sock', `unix:/${'a'.repeat(103)}`],
  [
    'D16 base path',
    '--base-path',
    'it is not a path; give one such as /todo, percent-encoded and without a query, braces, dot segments and empty',
    ...['/a?b', '/a#b', '/a/../b', '/%2E%2e', '/{x}', '/a//b', '//evil.example', '/a b', '/%ff'],
  ],
  ['static files folder', '--static', 'the folder does not exist; create it or name another', '/no/such'],
  ['static files folder', 'TODO_STATIC', 'the folder does not exist; create it or name another', '/no/such'],
  ['static files file', '--static', 'it is not a folder', 'package.json'],
  ['D32 empty text', '--store', 'it is empty; give a text, or leave the setting out', ''],
  ['D32 no store', '--store', 'items are always stored; give memory, or a path such as ./off', 'off', 'None'],
  ['security headers origin', '--cors-origins', ORIGIN, '*', 'null', 'https://*.a.example', 'https://a.example/x'],
  ['security headers empty entry', '--cors-origins', 'an entry of the list is empty', 'https://a.example,,'],
  ['security headers proxy', '--trusted-proxies', 'it is not an address or a range', 'proxy.local', '10.0.0.0/33'],
  [
    'D43 host',
    '--allowed-hosts',
    'it is neither a name nor an address; give one such as api.example',
    'https://api.example',
  ],
  ['operation log word', '--access-log', `${WORDS}; give on or off`, 'yes', '3'],
] as const)
  test(`${clause} – ${name} ${values.map((value) => JSON.stringify(value)).join()} → invalid: ${because}`, () => {
    for (const value of values) {
      const isFlag = name.startsWith('-');
      const [line = '', ...more] = refusals(isFlag ? [name, value] : [], isFlag ? {} : { [name]: value });
      assert.ok(line.startsWith(`Cannot use ${name} ${JSON.stringify(value)}: ${because}`), line);
      assert.deepEqual(more, []);
    }
  });

for (const [given, meant] of [
  ['--prot', '--port'],
  ['-port', '--port'],
  ['--MAX_BODY', '--max-body'],
  ['--trusted', '--trusted-proxies'],
  ['--store-url', '--store'],
  ['--versoin', '--version'],
  ['--nonsense', undefined],
  ['-p', undefined],
  ['-1', undefined],
  ['--constructor', undefined],
  ['--a\nb', undefined],
] as const)
  test(`D32 – the unknown flag ${JSON.stringify(given)} → the suggestion is ${meant ?? 'missing'}`, () => {
    const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
    const line = `Cannot use the flag ${JSON.stringify(given)}: the flag does not exist${hint}; --help lists them`;
    for (const argv of [[given], [given, '-1'], [`${given}=1k`]]) assert.deepEqual(refusals(argv, {}), [line]);
  });

const FLAGS_ONLY = 'the service takes flags only; --help lists them';
const ONCE = 'give the flag once, with commas between the entries of a list';
const LONG_BODY = 'a body of 1048576 bytes needs 2162688 bytes of memory; raise it, or lower';
const PROXY =
  'it is not an address or a range; use ::1, 10.0.0.0/8 (up to /32, for IPv6 up to /128), loopback or unix, for example';

/** Arguments and variables, and the rest of every line after "Cannot use". */
for (const [clause, given, environment, ...says] of [
  ['D32 missing value', '--port', {}, 'the flag "--port": it has no value; write --port=VALUE'],
  ['D32 flag for a value', '--port --host x', {}, 'the flag "--port": it has no value; write --port=VALUE'],
  ['D32 positional', '8080', {}, `the argument "8080": ${FLAGS_ONLY}`],
  ['D32 dashes alone', '-- -', {}, ...['--', '-'].map((text) => `the argument "${text}": ${FLAGS_ONLY}`)],
  ['D63 a repeated flag', '--host ::1 --host=::1', {}, `--host "::1": it is "::1" already; ${ONCE}`],
  ['D32 -1 behind an equals sign', '--port=-1', {}, '--port "-1": it is out of bounds; give 0 to 65535'],
  [
    'D32, D63 every fault',
    '--prot 80 x --port=80a --store --max-body 0 --model bas --model base',
    { HOST: 'a b', TODO_MAX_ITEMS: '-1', PORT: 'hidden' },
    'the flag "--prot": the flag does not exist (did you mean --port?); --help lists them',
    `the argument "x": ${FLAGS_ONLY}`,
    'the flag "--store": it has no value; write --store=VALUE',
    `--model "base": it is "bas" already; ${ONCE}`,
    '--port "80a": it is not a whole number; give 0 to 65535',
    'HOST "a b": it is neither an address nor a name; give one such as 127.0.0.1, :: or localhost, or set TODO_HOST if HOST is meant for another program',
    '--model "bas": it is not a known word (did you mean base?); give base or annotated',
    '--max-body "0": it is out of bounds; give 1 B to 256 MiB',
    'TODO_MAX_ITEMS "-1": it is out of bounds; give 1 to 1000000000',
  ],
  [
    'D32 the first invalid entry of each list',
    '',
    { TODO_CORS_ORIGINS: 'https://a.example,*,null', TODO_TRUSTED_PROXIES: '::1,a' },
    ...[`TODO_CORS_ORIGINS "*": ${ORIGIN}`, `TODO_TRUSTED_PROXIES "a": ${PROXY}`],
  ],
  [
    'D49 a body longer than all may be together',
    '--max-body 2m --max-body-memory 1m',
    {},
    '--max-body-memory "1m": a body of 2097152 bytes needs 4259840 bytes of memory; raise it, or lower --max-body',
  ],
  ['D49 a variable alone', '', { TODO_MAX_BODY_MEMORY: '1k' }, `TODO_MAX_BODY_MEMORY "1k": ${LONG_BODY} --max-body`],
  [
    'D63 one by flag, one by variable',
    '--max-body 1m',
    { TODO_MAX_BODY_MEMORY: '1k' },
    `TODO_MAX_BODY_MEMORY "1k": ${LONG_BODY} --max-body`,
  ],
  [
    'D63 no comparison of settings while a value is invalid',
    '--max-body-memory 1k --port x',
    {},
    '--port "x": it is not a whole number; give 0 to 65535',
  ],
  [
    'D49 Redis has a limit of its own',
    '--store redis://cache',
    { TODO_MAX_STORE_BYTES: '1g' },
    'TODO_MAX_STORE_BYTES "1g": Redis limits its own memory; set maxmemory there, and leave this setting out',
  ],
  [
    'D117 a host without a port',
    '--admin-host 10.0.0.5 --metrics on',
    {},
    '--admin-host "10.0.0.5": it needs a port; give --admin-port too',
  ],
  [
    'D117 the port of the service',
    '',
    { TODO_ADMIN_PORT: '8080', TODO_METRICS: 'on' },
    'TODO_ADMIN_PORT "8080": the service itself listens there; choose another',
  ],
] as const)
  test(`${clause} – ${JSON.stringify([given, environment])} → invalid`, () => {
    const lines = says.map((line) => `Cannot use ${line}`);
    assert.deepEqual(refusals(argumentsOf(given), environment), lines);
  });

function refusals(argv: readonly string[], environment: Environment): readonly string[] {
  try {
    readSettings(argv, environment);
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    for (const line of error.lines) assert.match(line, /^[^\r\n]+$/);
    assert.equal(error.message, error.lines.join('\n'));
    return error.lines;
  }
  assert.fail('nothing was refused');
}

test('D32 – a value of a megabyte → a short error line', () => {
  const [line = ''] = refusals(['--port', '9'.repeat(2 ** 20)], {});
  assert.ok(line.length < 300);
});

test('D32 – the defaults → as decided', () => {
  const { port, host, basePath, static: folder, propertyNaming, model, comments } = readSettings([], {});
  assert.deepEqual([port, host, basePath, folder], [8080, '127.0.0.1', '', undefined]);
  assert.deepEqual([propertyNaming, model, comments], ['camelCase', 'base', true]);
});

test('D32 – the action of a command line → help at any position, else the first action', () => {
  for (const [given, action] of [
    ['', 'serve'],
    ['--port 1', 'serve'],
    ['--help', 'help'],
    ['-h', 'help'],
    ['--version', 'version'],
    ['--health', 'health'],
    ['--port x --nonsense --help', 'help'],
    ['--version --help', 'help'],
    ['--health --version', 'health'],
    ['--store --help', 'help'],
    ['help', 'serve'],
  ] as const)
    assert.equal(commandLine(argumentsOf(given)).action, action, given);
});

test('D32 – --help → each setting with its unit, default and variable, and the actions; it fits the width of a terminal', () => {
  const text = helpText();
  for (const [flag, line] of [
    ['--base-path PATH', 'path | default: / | variable: TODO_BASE_PATH'],
    ['--static DIR', 'folder, or off | default: off | variable: TODO_STATIC'],
    ['--max-body SIZE', 'bytes, or with k, m, g; 1 B to 256 MiB | default: 1 MiB | variable: TODO_MAX_BODY'],
  ] as const)
    assert.equal(text.slice(text.indexOf(`  ${flag}\n`)).split('\n')[2], `      ${line}`);
  for (const action of ['--help, -h', '--version', '--health']) assert.ok(text.includes(`  ${action}\n`), action);
  assert.ok(text.split('\n').every((line) => line.length <= 160));
});

test('D32 – --version, from the sources → the version of package.json, and the source folder', () =>
  assert.equal(version(), `${JSON.parse(textOf('package.json')).version} (source)`));

test('D32 – the page of the settings → has the output of --help', () => {
  const [, text] = /^```\n(.*)\n```\n$/ms.exec(textOf('src/guide/operate/settings.md')) ?? [];
  assert.equal(text, helpText(), 'The page is out of date; renew it with "npm run settings"');
});
