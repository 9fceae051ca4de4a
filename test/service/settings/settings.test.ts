/** Tests the settings, the errors of command lines and environments, `--help` and `--version` (D32). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { helpText, settingsTable, version } from '../../../src/service/settings/help.ts';
import {
  defaults,
  GivenSettings,
  readSettings,
  type Settings,
  SettingsError,
} from '../../../src/service/settings/settings.ts';
import { commandLine } from '../../../src/service/settings/sources.ts';
import { textOf } from '../../house/source-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Environment = Readonly<Record<string, string>>;
/** Arguments, as a list or as a text with blanks. */
type Arguments = string | readonly string[];
const argumentsOf = (list: Arguments): readonly string[] =>
  typeof list === 'string' ? list.split(' ').filter((text) => text !== '') : list;

/** Arguments and variables, and the settings that differ from the defaults. */
const TAKEN: readonly (readonly [clause: string, given: Arguments, want: Partial<Settings>, env?: Environment])[] = [
  ['D32 no arguments', '', {}],
  ['D32 a flag', '--port 9000', { port: 9000 }],
  ['D32 a flag with an equals sign', '--port=9000', { port: 9000 }],
  ['D32 a variable', '', { port: 9001 }, { PORT: '9001' }],
  ['D32 flag before variable', '--port 9000', { port: 9000 }, { PORT: '9001' }],
  ['D32 a flag hides a wrong variable', '--port 9000', { port: 9000 }, { PORT: 'x' }],
  ['D32 an empty variable is not set', '', {}, { PORT: '', HOST: '', STATIC_ROOT: '' }],
  ['D32 port 0, and minus nothing is nothing', '--port -0', { port: 0 }],
  ['D32 values that begin with a dash', '--title - --description -h', { title: '-', description: '-h' }],
  ['D32 a text that begins with dashes', '--title=--port', { title: '--port' }],
  ['D32 an action beside settings', '--health --port 9000', { port: 9000 }],
  ['D32 host', '', { host: '0.0.0.0' }, { HOST: '0.0.0.0' }],
  ['D32 host in brackets', '--host [::1]', { host: '::1' }],
  ['D32 host with a zone', '--host fe80::1%eth0', { host: 'fe80::1%eth0' }],
  ['D16 base path, slash added', '--base-path todo', { basePath: '/todo' }],
  ['D16 base path, slash removed', '--base-path /a/b/', { basePath: '/a/b' }],
  ['D16 base path / is none', '--base-path /', {}],
  ['D16 base path encoded', '--base-path /%C3%A4', { basePath: '/%C3%A4' }],
  ['D32 static files off', '--static off', {}],
  ['D32 static files off by variable', '', {}, { STATIC_ROOT: 'off' }],
  ['D1 casing', '--property-naming PascalCase', { propertyNaming: 'PascalCase' }],
  ['D11 model', '', { model: 'annotated' }, { MODEL: 'annotated' }],
  ['D17 comments', '--comments off', { comments: false }],
  [
    'D32 info members',
    '--title T --description D --info-version v2 --terms-of-service None',
    { title: 'T', description: 'D', infoVersion: 'v2', termsOfService: 'None' },
  ],
  ['D32 contact', '--contact-name N --contact-email a@e.example', { contactName: 'N', contactEmail: 'a@e.example' }],
  ['D32 addresses', '--contact-url https://e.example/', { contactUrl: 'https://e.example/' }],
  [
    'D32 licence',
    '--license-name A --license-url http://e.example',
    { licenseName: 'A', licenseUrl: 'http://e.example' },
  ],
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
  ['D111 a flag before a variable', '--drain-delay 5s', { drainDelay: 5000 }, { DRAIN_DELAY: '1h' }],
  ['D49 the memory of bodies follows the longest body', '--max-body 100m', { maxBody: 100 * 2 ** 20 }],
  ['D32 counts', '--max-items 10 --max-connections 50', { maxItems: 10, maxConnections: 50 }],
  ['D32 0 for no limit', '--max-items 0', {}],
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
  ['security headers origins off', '--cors-origins off', {}, { CORS_ORIGINS: 'https://a.example' }],
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
  ['operation log', '--access-log on --log-format json', { accessLog: 1, logFormat: 'json' }],
  ['operation log to a descriptor', '--access-log 2', { accessLog: 2 }],
  ['operation checks and figures', '--health-checks on --metrics on', { healthChecks: true, metrics: true }],
  ['plugins', '--plugin /a.js --plugin /b.js,/c.js', { plugin: ['/a.js', '/b.js', '/c.js'] }],
  ['plugins by variable', '', { plugin: ['/a.js', '/b.js'] }, { PLUGIN: '/a.js,/b.js' }],
  [
    'D117 an admin port at the port of the service, on another address',
    '--admin-port 8080 --admin-host 10.0.0.5 --trace on',
    { adminPort: 8080, adminHost: '10.0.0.5', trace: 'on' },
  ],
  [
    'D117 a Unix socket has no port',
    '',
    { adminHost: 'unix:/run/admin.sock', healthChecks: true },
    { ADMIN_HOST: 'unix:/run/admin.sock', HEALTH_CHECKS: 'on' },
  ],
  ['D117 an admin port alone', '--admin-port 9090', { adminPort: 9090, healthChecks: true, metrics: true }],
  [
    'D117 an admin socket alone',
    '--admin-host unix:/run/admin.sock',
    { adminHost: 'unix:/run/admin.sock', healthChecks: true, metrics: true },
  ],
  [
    'D117 an admin port and one of the two off',
    '--admin-port 0',
    { adminPort: 0, healthChecks: true },
    { METRICS: 'off' },
  ],
  ['D117 an admin port for one of the two', '--admin-port 0 --metrics on', { adminPort: 0, metrics: true }],
];
for (const [clause, given, want, environment = {}] of TAKEN)
  test(`${clause} – ${JSON.stringify([given, environment])} → valid`, () =>
    assert.deepEqual(readSettings(argumentsOf(given), environment), { ...defaults(), ...want }));

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
const PATH_CHARACTER = 'it has a character that a request path cannot contain';
const ORIGIN = 'it is not an exact origin; give one such as https://app.example:8443';

/** The flag or the variable, the beginning of the error after the name and the value, and invalid values. */
const REFUSED: readonly (readonly [clause: string, name: string, because: string, ...values: readonly string[]])[] = [
  ['D32 not a whole number', '--port', PORT, '80a', '80.5', '', '+5', '1e3', '0x10', ' 5', '-', 'a\nb'],
  ['D32 not a whole number', 'PORT', PORT, '80a', '80\r'],
  ['D32 out of bounds', '--port', `${BOUNDS} 0 to 65535`, '65536', '-1', '12345678901234567890'],
  ['D32 out of bounds', 'PORT', `${BOUNDS} 0 to 65535`, '-1'],
  ['D32 out of bounds', '--max-connections', `${BOUNDS} 1 to 1000000`, '-1'],
  ['D32 out of bounds', '--max-items', `${BOUNDS} 0 to 1000000000`, '-1'],
  ['D32 out of bounds', '--max-body', `${BOUNDS} 1 B to 256 MiB`, '0', '-5', '12345678901234567890'],
  ['D32 out of bounds', 'MAX_BODY', `${BOUNDS} 1 B to 256 MiB`, '-5k'],
  ['D32 out of bounds', '--idle-timeout', `${BOUNDS} 100 ms to 1 h`, '0', '-1s', '12345678901234.12345678'],
  ['D32 out of bounds', 'DRAIN_DELAY', `${BOUNDS} 0 s to 1 h`, '-0.1ms'],
  [
    'D32 size',
    '--max-body',
    'it is not a size; give bytes, or a size such as 512k or 1MiB',
    ...['1MBit', '1.5', '1.5b', '1.m', '.5m', '1,5m', '1 m b', '1ib', '1e3k', 'm', '1.5.5m', '1\nm', '1constructor'],
  ],
  ['D32 time', '--idle-timeout', 'it is not a time', '1x', '1msec', '1mi', '1 h m', '1h30m', '1.s', '1 day'],
  ['D32 word', '--comments', `${WORDS}; give on or off`, 'yes', 'no'],
  ['D32 did you mean', '--comments', `${WORDS} (did you mean off?); give on or off`, 'of'],
  ['D32 did you mean', 'MODEL', `${WORDS} (did you mean annotated?); give base or annotated`, 'anotated'],
  ['D32 did you mean', '--property-naming', `${WORDS} (did you mean camelCase?); give camelCase or`, 'camelcase'],
  ['D32 did you mean', '--access-log', 'it is not a descriptor (did you mean on?); give off, on or', 'onn'],
  ['D1 word', 'PROPERTY_NAMING', `${WORDS}; give camelCase or PascalCase`, 'snake_case'],
  ['D32 host with a port', '--host', 'it contains a port, which has a separate setting; give the host', 'localhost:80'],
  ['D32 host with a port', 'HOST', 'it contains a port, which has a separate setting; give the host', 'localhost:80'],
  ['D32 host with a scheme', '--host', 'it is neither an address nor a name', 'http://x'],
  ['D114 a socket without its folder', '--host', 'its path is not absolute; give one', 'unix:http.sock'],
  ['D114 a long path', '--host', 'its path has 104 bytes, more than 103', `unix:/${'a'.repeat(103)}`],
  ['D16 query or fragment', '--base-path', 'it has a query or a fragment', '/a?b', '/a#b'],
  ['D16 dot segments', '--base-path', 'it has a dot segment', '/a/../b', '/%2E%2e'],
  ['D16 braces', '--base-path', 'it has a brace', '/{x}'],
  ['D16 empty segment', '--base-path', 'it has an empty segment', '/a//b', '//evil.example'],
  ['D16 no path', '--base-path', PATH_CHARACTER, '/a b', '/%ff'],
  ['static files folder', '--static', 'the folder does not exist; create it or name another', '/no/such'],
  ['static files folder', 'STATIC_ROOT', 'the folder does not exist; create it or name another', '/no/such'],
  ['static files file', '--static', 'it is not a folder', 'package.json'],
  ['D32 empty text', '--title', 'it is empty; give a text, or leave the setting out', ''],
  ['D13 mail address', '--contact-email', 'it is not a mail address', 'x'],
  ['D13 URL', '--contact-url', 'it is not an absolute URL', 'example.org'],
  ['security headers origin', '--cors-origins', ORIGIN, '*', 'null', 'https://*.a.example', 'https://a.example/x'],
  ['security headers empty entry', '--cors-origins', 'an entry of the list is empty', 'https://a.example,,'],
  ['security headers proxy', '--trusted-proxies', 'it is not an address or a range', 'proxy.local', '10.0.0.0/33'],
  [
    'D43 host',
    '--allowed-hosts',
    'it is neither a name nor an address; give one such as api.example',
    'https://api.example',
  ],
  ['operation log word', '--access-log', 'it is not a descriptor', 'yes'],
  ['operation log descriptor', '--access-log', 'no such descriptor is open', '9999'],
];
for (const [clause, name, because, ...values] of REFUSED)
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

const LONG_BODY = 'a body of 1048576 bytes needs 2162688 bytes of memory, not';
const NOTHING = 'it would answer nothing; give --health-checks, --metrics or --trace';
const PROXY =
  'it is not an address or a range; use ::1, 10.0.0.0/8 (up to /32, for IPv6 up to /128), loopback or unix, for example';

/** Arguments and variables, and the rest of every line after "Cannot use". */
const LINES: readonly (readonly [clause: string, given: Arguments, env: Environment, ...says: readonly string[]])[] = [
  ['D32 missing value', '--port', {}, 'the flag "--port": it has no value; write --port=VALUE'],
  ['D32 flag for a value', '--port --host x', {}, 'the flag "--port": it has no value; write --port=VALUE'],
  ['D32 positional', '8080', {}, 'the argument "8080": the service takes flags only; --help lists them'],
  [
    'D32 positional behind --',
    '-- --port',
    {},
    'the argument "--port": the service takes flags only; --help lists them',
  ],
  ['D32 a repeated flag', '--port 1 --port 2', {}, '--port "2": it is "1" already; give the flag once'],
  ['D63 the same value', '--host ::1 --host=::1', {}, '--host "::1": it is "::1" already; give the flag once'],
  [
    'D32 a list in two flags',
    '--trusted-proxies ::1 --trusted-proxies ::2',
    {},
    '--trusted-proxies "::2": it is "::1" already; give the flag once',
  ],
  ['D32 -1 behind an equals sign', '--port=-1', {}, '--port "-1": it is out of bounds; give 0 to 65535'],
  [
    'D32, D63 every fault',
    '--prot 80 x --port=80a --title --max-body 0 --model bas --model base',
    { HOST: 'a b', MAX_ITEMS: '-1', PORT: 'hidden' },
    'the flag "--prot": the flag does not exist (did you mean --port?); --help lists them',
    'the argument "x": the service takes flags only; --help lists them',
    'the flag "--title": it has no value; write --title=VALUE',
    '--model "base": it is "bas" already; give the flag once',
    '--port "80a": it is not a whole number; give 0 to 65535',
    'HOST "a b": it is neither an address nor a name; give one such as 127.0.0.1, :: or localhost, or set TODO_HOST if HOST is meant for another program',
    '--model "bas": it is not a known word (did you mean base?); give base or annotated',
    '--max-body "0": it is out of bounds; give 1 B to 256 MiB',
    'MAX_ITEMS "-1": it is out of bounds; give 0 to 1000000000',
  ],
  [
    'D32 every entry of a list',
    '',
    { CORS_ORIGINS: 'https://a.example,*,null', TRUSTED_PROXIES: 'a,::1,b' },
    ...[`CORS_ORIGINS "*": ${ORIGIN}`, `CORS_ORIGINS "null": ${ORIGIN}`],
    ...[`TRUSTED_PROXIES "a": ${PROXY}`, `TRUSTED_PROXIES "b": ${PROXY}`],
  ],
  [
    'D49 a body longer than all may be together',
    '--max-body 2m --max-body-memory 1m',
    {},
    '--max-body "2m": a body of 2097152 bytes needs 4259840 bytes of memory, not 1048576; change --max-body-memory too',
  ],
  [
    'D49 the same by variable',
    '',
    { MAX_BODY_MEMORY: '512k' },
    `MAX_BODY_MEMORY "512k": ${LONG_BODY} 524288; change MAX_BODY too`,
  ],
  [
    'D63 one by flag, one by variable',
    '--max-body-memory 1k',
    { MAX_BODY: '1m' },
    `MAX_BODY "1m": ${LONG_BODY} 1024; change --max-body-memory too`,
  ],
  [
    'D63 one by variable, one by flag',
    '--max-body 1m',
    { MAX_BODY_MEMORY: '1k' },
    `--max-body "1m": ${LONG_BODY} 1024; change MAX_BODY_MEMORY too`,
  ],
  [
    'D63 no comparison of two settings if one is invalid',
    '--max-body-memory 1k --max-body x',
    {},
    '--max-body "x": it is not a size; give bytes, or a size such as 512k or 1MiB',
  ],
  [
    'D63 an unknown name is an error too',
    '--license-url https://e.example --license-name=',
    {},
    '--license-name "": it is empty; give a text, or leave the setting out',
  ],
  [
    'D13 licence without a name',
    '--license-url https://e.example',
    {},
    '--license-url "https://e.example": it needs a name; give --license-name too',
  ],
  [
    'D13 licence without a name',
    '',
    { LICENSE_URL: 'https://e.example' },
    'LICENSE_URL "https://e.example": it needs a name; give LICENSE_NAME too',
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
    { ADMIN_PORT: '8080', METRICS: 'on' },
    'ADMIN_PORT "8080": the service itself listens there; choose another',
  ],
  [
    'D117 nothing to answer',
    '--admin-port 9090 --health-checks off --metrics off',
    {},
    `--admin-port "9090": ${NOTHING}`,
  ],
  [
    'D117 nothing to answer',
    '--admin-host unix:/run/admin.sock --trace off',
    { HEALTH_CHECKS: 'off', METRICS: 'off' },
    `--admin-host "unix:/run/admin.sock": ${NOTHING}`,
  ],
];
for (const [clause, given, environment, ...says] of LINES)
  test(`${clause} – ${JSON.stringify([given, environment])} → invalid`, () => {
    const lines = says.map((line) => `Cannot use ${line}`);
    assert.deepEqual(refusals(argumentsOf(given), environment), lines);
  });

function refusals(argv: readonly string[], environment: Environment): readonly string[] {
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

test('D32 – the name of the port setting → the variable if it is set, else the flag', () => {
  for (const [given, environment, name] of [
    ['', {}, '--port'],
    ['--port 1', {}, '--port'],
    ['', { PORT: '1' }, 'PORT'],
    ['--port=1', { PORT: '1' }, '--port'],
    ['', { PORT: '' }, '--port'],
    ['--port', { PORT: '1' }, 'PORT'],
  ] as const)
    assert.equal(new GivenSettings(argumentsOf(given), environment).nameOf('port'), name);
});

test('D32 – a value of a megabyte → a short error line', () => {
  const [line = ''] = refusals(['--port', '9'.repeat(2 ** 20)], {});
  assert.ok(line.length < 300);
});

test('D32 – the defaults → as decided', () => {
  const { port, host, basePath, staticRoot, propertyNaming, model, comments } = defaults();
  assert.deepEqual([port, host, basePath, staticRoot], [8080, '127.0.0.1', '', undefined]);
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
    ['--title --help', 'serve'],
    ['help', 'serve'],
  ] as const)
    assert.equal(commandLine(argumentsOf(given)).action, action, given);
});

test('operation log – descriptors of this process → those that a redirection may have opened are valid', {
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
    assert.match(refusals(argv(descriptor), {}).join(), /: the descriptor cannot be written to, or/);
});

test('D32 – --help → each setting with its unit, default and variable, and the actions; it fits the width of a terminal', () => {
  const text = helpText();
  const share = 'a quarter of the heap limit, or an eighth of the container';
  for (const [flag, line] of [
    ['--port PORT', 'number, 0 to 65535 | default: 8080 | variable: PORT'],
    ['--host HOST', 'address, name or unix:/path | default: 127.0.0.1 | variable: HOST'],
    ['--base-path PATH', 'path | default: / | variable: BASE_PATH'],
    ['--static DIR', 'folder, or off | default: off | variable: STATIC_ROOT'],
    ['--max-body SIZE', 'bytes, or with k, m, g; 1 B to 256 MiB | default: 1 MiB | variable: MAX_BODY'],
    [
      '--request-timeout TIME',
      'seconds, or with ms, s, m, h; 100 ms to 1 h | default: 30 s | variable: REQUEST_TIMEOUT',
    ],
    [
      '--max-store-bytes SIZE',
      `bytes, or with k, m, g; 1 KiB to 1024 GiB | default: ${share} | variable: MAX_STORE_BYTES`,
    ],
  ] as const)
    assert.equal(text.slice(text.indexOf(`  ${flag}\n`)).split('\n')[2], `      ${line}`);
  for (const action of ['--help, -h', '--version', '--health']) assert.ok(text.includes(`  ${action}\n`), action);
  assert.ok(text.split('\n').every((line) => line.length <= 160));
});

test('D32 – --version, from the sources → the version of package.json, and the source folder', () =>
  assert.equal(version(), `${JSON.parse(textOf('package.json')).version} (source)`));

test('D32 – the page of the settings → an introduction and the tables, equal to the output of "npm run settings"', () => {
  const [, introduction = '', tables] = /^(.*?)(## .*)$/s.exec(textOf('src/guide/operate/settings.md')) ?? [];
  assert.ok(introduction.split('\n').length <= 6, introduction);
  assert.equal(tables, `${settingsTable()}\n`, 'The tables are out of date; renew them with "npm run settings"');
});
