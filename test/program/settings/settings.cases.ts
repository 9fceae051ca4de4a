/** Lists command lines and environments with the settings or the errors that they give, each with its clause. */
import type { Settings } from '../../../src/program/settings/settings.ts';

export interface TakenCase {
  readonly clause: string;
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Only the settings that differ from the defaults. */
  readonly want: Partial<Settings>;
}

export interface RefusedValue {
  readonly clause: string;
  /** The flag or the variable. */
  readonly name: string;
  readonly value: string;
  /** The beginning of the line behind the name and the value. */
  readonly because: string;
}

export interface RefusedLines {
  readonly clause: string;
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Every whole line. */
  readonly says: readonly string[];
}

const taken = (
  clause: string,
  argv: readonly string[],
  want: Partial<Settings>,
  environment: TakenCase['environment'] = {},
): TakenCase => ({ clause, argv, environment, want });

export const TAKEN: readonly TakenCase[] = [
  taken('D32 nothing given', [], {}),
  taken('D32 a flag', ['--port', '9000'], { port: 9000 }),
  taken('D32 a flag with an equals sign', ['--port=9000'], { port: 9000 }),
  taken('D32 a variable', [], { port: 9001 }, { PORT: '9001' }),
  taken('D32 flag before variable', ['--port', '9000'], { port: 9000 }, { PORT: '9001' }),
  taken('D32 a flag hides a wrong variable', ['--port', '9000'], { port: 9000 }, { PORT: 'x' }),
  taken('D32 an empty variable is not set', [], {}, { PORT: '', HOST: '', STATIC_ROOT: '' }),
  taken(
    'D117 an admin port at the port of the service, on another address',
    ['--admin-port', '8080', '--admin-host', '10.0.0.5', '--trace', 'on'],
    { adminPort: 8080, adminHost: '10.0.0.5', trace: 'on' },
  ),
  taken(
    'D117 a Unix socket has no port',
    [],
    { adminHost: 'unix:/run/admin.sock', healthChecks: true },
    { ADMIN_HOST: 'unix:/run/admin.sock', HEALTH_CHECKS: 'on' },
  ),
  taken('D117 an admin port alone', ['--admin-port', '9090'], { adminPort: 9090, healthChecks: true, metrics: true }),
  taken(
    'D117 an admin socket alone',
    [],
    { adminHost: 'unix:/run/admin.sock', healthChecks: true, metrics: true },
    { ADMIN_HOST: 'unix:/run/admin.sock' },
  ),
  taken(
    'D117 an admin port and one of the two off',
    ['--admin-port', '0'],
    { adminPort: 0, healthChecks: true },
    { METRICS: 'off' },
  ),
  taken('D117 an admin port for one of the two', ['--admin-port', '0', '--metrics', 'on'], {
    adminPort: 0,
    metrics: true,
  }),
  taken('D32 port 0', ['--port', '0'], { port: 0 }),
  taken('D32 minus nothing is nothing', ['--port', '-0'], { port: 0 }),
  taken('D32 a value that begins with a dash', ['--title', '-', '--description', '-h'], {
    title: '-',
    description: '-h',
  }),
  taken('D32 host', [], { host: '0.0.0.0' }, { HOST: '0.0.0.0' }),
  taken('D32 host in brackets', ['--host', '[::1]'], { host: '::1' }),
  taken('D32 host with a zone', ['--host', 'fe80::1%eth0'], { host: 'fe80::1%eth0' }),
  taken('D16 base path', ['--base-path', '/todo'], { basePath: '/todo' }),
  taken('D16 base path, slash added', ['--base-path', 'todo'], { basePath: '/todo' }),
  taken('D16 base path, slash removed', ['--base-path', '/a/b/'], { basePath: '/a/b' }),
  taken('D16 base path / is none', ['--base-path', '/'], { basePath: '' }),
  taken('D16 base path encoded', ['--base-path', '/%C3%A4'], { basePath: '/%C3%A4' }),
  taken('D32 static files off', ['--static', 'off'], {}),
  taken('D32 static files off by variable', [], {}, { STATIC_ROOT: 'off' }),
  taken('D1 casing', ['--property-naming', 'PascalCase'], { propertyNaming: 'PascalCase' }),
  taken('D11 model', [], { model: 'annotated' }, { MODEL: 'annotated' }),
  taken('D17 comments', ['--comments', 'off'], { comments: false }),
  taken(
    'D32 info members',
    ['--title', 'T', '--description', 'D', '--info-version', 'v2', '--terms-of-service', 'None'],
    { title: 'T', description: 'D', infoVersion: 'v2', termsOfService: 'None' },
  ),
  taken('D32 a text that begins with dashes', ['--title=--port'], { title: '--port' }),
  taken(
    'D32 contact',
    ['--contact-name', 'N', '--contact-url', 'https://e.example/', '--contact-email', 'a@e.example'],
    { contactName: 'N', contactUrl: 'https://e.example/', contactEmail: 'a@e.example' },
  ),
  taken('D32 licence', ['--license-name', 'MIT', '--license-url', 'https://e.example/mit'], {
    licenseName: 'MIT',
    licenseUrl: 'https://e.example/mit',
  }),
  taken(
    'D32 sizes',
    ['--max-body', '512', '--max-header-bytes', '4k', '--max-body-memory', '2 MiB', '--max-store-bytes', '1g'],
    { maxBody: 512, maxHeaderBytes: 4096, maxBodyMemory: 2 * 2 ** 20, maxStoreBytes: 2 ** 30 },
  ),
  ...[
    '1.5M',
    '1.5 m',
    '1.5MB',
    '1.5 mib',
    '1536k',
    '1536 KB',
    '1536KiB',
    '1572864',
    '1572864 B',
    '0.0014648437500g',
  ].map((size) => taken('D32 a size', ['--max-body', size], { maxBody: 1_572_864 })),
  ...['1t', '1 TB', '1TiB', '1024gb'].map((size) =>
    taken('D32 a size', ['--max-store-bytes', size], { maxStoreBytes: 2 ** 40 }),
  ),
  ...[
    '90',
    '90s',
    '90 sec',
    '90secs',
    '90 second',
    '90 Seconds',
    '1.5m',
    '1.5 min',
    '1.5mins',
    '1.5 minutes',
    '0.025h',
    '0.025 hr',
    '0.025 hours',
    '90000ms',
  ].map((time) => taken('D32 a time', ['--request-timeout', time], { requestTimeout: 90_000 })),
  taken('D32 sizes by variable', [], { maxHeaderBytes: 32768 }, { MAX_HEADER_BYTES: '32KiB' }),
  taken(
    'D32 times',
    ['--write-timeout', '2', '--request-timeout', '1m', '--drain-delay', '500ms', '--shutdown-grace', '1.5s'],
    { writeTimeout: 2000, requestTimeout: 60_000, drainDelay: 500, shutdownGrace: 1500 },
  ),
  taken('D114 a Unix socket', ['--host', 'unix:/run/todo/http.sock', '--trusted-proxies', 'unix'], {
    host: 'unix:/run/todo/http.sock',
    trustedProxies: ['unix'],
  }),
  taken('D111 draining', ['--drain-delay', '5s'], { drainDelay: 5000 }, { DRAIN_DELAY: '1h' }),
  taken('D49 the memory of bodies follows the longest body unless it is given', ['--max-body', '100m'], {
    maxBody: 100 * 2 ** 20,
  }),
  taken('D32 counts', ['--max-items', '10', '--max-connections', '50'], { maxItems: 10, maxConnections: 50 }),
  taken('D32 0 for no limit', ['--max-items', '0'], {}),
  taken(
    'security headers origins',
    ['--cors-origins', 'https://a.example, http://b.example:8080,https://c.example:443/'],
    { corsOrigins: ['https://a.example', 'http://b.example:8080', 'https://c.example'] },
  ),
  taken('security headers origins off', ['--cors-origins', 'off'], {}, { CORS_ORIGINS: 'https://a.example' }),
  taken('security headers proxies', ['--trusted-proxies', 'loopback,10.0.0.0/8,2001:db8::/32'], {
    trustedProxies: ['loopback', '10.0.0.0/8', '2001:db8::/32'],
  }),
  taken('D43 hosts', ['--allowed-hosts', 'api.example, ::1,localhost:80'], {
    allowedHosts: ['api.example', '[::1]', 'localhost:80'],
  }),
  taken('operation log', ['--access-log', 'on'], { accessLog: 1 }),
  taken('D110 format of the log', ['--log-format', 'json'], { logFormat: 'json' }),
  taken('operation log to a descriptor', ['--access-log', '2'], { accessLog: 2 }),
  taken('operation checks and figures', ['--health-checks', 'on', '--metrics', 'on'], {
    healthChecks: true,
    metrics: true,
  }),
  taken('plugins plugins', ['--plugin', '/a.js', '--plugin', '/b.js,/c.js'], { plugin: ['/a.js', '/b.js', '/c.js'] }),
  taken('plugins plugins by variable', [], { plugin: ['/a.js', '/b.js'] }, { PLUGIN: '/a.js,/b.js' }),
  taken('D32 an action beside settings', ['--health', '--port', '9000'], { port: 9000 }),
];

const BOUNDS = 'it is out of bounds; give';
const WORDS = 'it is none of the known words';
const NUMBER = 'it is not a whole number; give 0 to 65535';
const refused = (clause: string, name: string, value: string, because: string): RefusedValue => ({
  clause,
  name,
  value,
  because,
});

export const REFUSED_VALUES: readonly RefusedValue[] = [
  refused('D32 no number', '--port', '80a', NUMBER),
  refused('D32 no number, variable', 'PORT', '80a', NUMBER),
  refused('D32 out of bounds', '--port', '65536', `${BOUNDS} 0 to 65535`),
  refused('D32 -1 is a whole number', '--port', '-1', `${BOUNDS} 0 to 65535`),
  refused('D32 -1 is a whole number', 'PORT', '-1', `${BOUNDS} 0 to 65535`),
  refused('D32 -1 is a whole number', '--max-connections', '-1', `${BOUNDS} 1 to 1000000`),
  refused('D32 -1 is a whole number', '--max-items', '-1', `${BOUNDS} 0 to 1000000000`),
  refused('D32 so is a long one', '--port', '12345678901234567890', `${BOUNDS} 0 to 65535`),
  refused('D32 a negative size', '--max-body', '-5', `${BOUNDS} 1 B to 256 MiB`),
  refused('D32 a negative size', 'MAX_BODY', '-5k', `${BOUNDS} 1 B to 256 MiB`),
  refused('D32 a long size', '--max-body', '12345678901234567890', `${BOUNDS} 1 B to 256 MiB`),
  refused('D32 a negative time', '--idle-timeout', '-1s', `${BOUNDS} 100 ms to 1 h`),
  refused('D32 a negative time', 'DRAIN_DELAY', '-0.1ms', `${BOUNDS} 0 s to 1 h`),
  refused('D32 a long time', '--idle-timeout', '12345678901234.12345678', `${BOUNDS} 100 ms to 1 h`),
  refused('D32 a sign in front', '--port', '+5', 'it is not a whole number'),
  refused('D32 an exponent', '--port', '1e3', 'it is not a whole number'),
  refused('D32 hexadecimal', '--port', '0x10', 'it is not a whole number'),
  refused('D32 a space in front', '--port', ' 5', 'it is not a whole number'),
  refused('D32 a minus alone', '--port', '-', 'it is not a whole number'),
  refused('D32 fraction', '--port', '80.5', NUMBER),
  refused('D32 empty by flag', '--port', '', NUMBER),
  refused('D32 trailing return', 'PORT', '80\r', NUMBER),
  refused('D32 word', '--comments', 'yes', `${WORDS}; give on or off`),
  refused('D32 did you mean', '--comments', 'of', `${WORDS} (did you mean off?); give on or off`),
  refused('D32 no is not on', '--comments', 'no', `${WORDS}; give on or off`),
  refused('D32 did you mean', 'MODEL', 'anotated', `${WORDS} (did you mean annotated?); give base or annotated`),
  refused(
    'D32 did you mean, in another case',
    '--property-naming',
    'camelcase',
    `${WORDS} (did you mean camelCase?); give camelCase or PascalCase`,
  ),
  refused('D32 did you mean', '--access-log', 'onn', 'it is no descriptor (did you mean on?); give off, on or'),
  refused('D1 word', 'PROPERTY_NAMING', 'snake_case', `${WORDS}; give camelCase or PascalCase`),
  refused(
    'D32 host with a port',
    '--host',
    'localhost:80',
    'it carries a port, which is a setting of its own; give the host alone',
  ),
  refused(
    'D32 host with a port, variable',
    'HOST',
    'localhost:80',
    'it carries a port, which is a setting of its own; give the host alone',
  ),
  refused('D32 host with a scheme', '--host', 'http://x', 'it is neither an address nor a name'),
  refused(
    'D114 a socket without its folder',
    '--host',
    'unix:http.sock',
    'it has no absolute path of a socket; give one such as unix:/run/todo/http.sock',
  ),
  refused(
    'D114 a socket with too long a path',
    '--host',
    `unix:/${'a'.repeat(103)}`,
    'its path has 104 bytes, and a socket at most 103; give a shorter one',
  ),
  refused('D16 query', '--base-path', '/a?b', 'it has a query or a fragment'),
  refused('D16 fragment', '--base-path', '/a#b', 'it has a query or a fragment'),
  refused('D16 dot segments', '--base-path', '/a/../b', 'it has a dot segment'),
  refused('D16 encoded dots', '--base-path', '/%2E%2e', 'it has a dot segment'),
  refused('D16 braces', '--base-path', '/{x}', 'it has a brace'),
  refused('D16 empty segment', '--base-path', '/a//b', 'it has an empty segment'),
  refused('D16 another host', '--base-path', '//evil.example', 'it has an empty segment'),
  refused('D16 space', '--base-path', '/a b', 'it has a character that a request path cannot carry'),
  refused('D16 bad escape', '--base-path', '/%ff', 'it has a character that a request path cannot carry'),
  refused('static files folder', '--static', '/no/such', 'there is no such folder; create it or name another'),
  refused('static files file', '--static', 'package.json', 'it is not a folder'),
  refused('static files folder by variable', 'STATIC_ROOT', '/no/such', 'there is no such folder'),
  refused('D32 size', '--max-body', '1MBit', 'it is not a size; give bytes, or a size such as 512k or 1MiB'),
  ...['1.5', '1.5b', '1.m', '.5m', '1,5m', '1 m b', '1ib', '1e3k', 'm', '1.5.5m', '1\nm'].map((size) =>
    refused('D32 size', '--max-body', size, 'it is not a size'),
  ),
  ...['1x', '1msec', '1mi', '1 h m', '1h30m', '1.s'].map((time) =>
    refused('D32 time', '--idle-timeout', time, 'it is not a time'),
  ),
  refused('D32 size with no such unit', '--max-body', '1constructor', 'it is not a size'),
  refused('D32 size out of bounds', '--max-body', '0', `${BOUNDS} 1 B to 256 MiB`),
  refused('D32 time', '--idle-timeout', '1 day', 'it is not a time'),
  refused('D32 time out of bounds', '--idle-timeout', '0', `${BOUNDS} 100 ms to 1 h`),
  refused('D32 empty text', '--title', '', 'it is empty; give a text, or leave the setting out'),
  refused('D13 mail address', '--contact-email', 'x', 'it is not a mail address'),
  refused('D13 URL', '--contact-url', 'example.org', 'it is not an absolute URL'),
  refused('D13 licence without a name', '--license-url', 'https://e.example', 'it has no name'),
  refused('security headers every origin', '--cors-origins', '*', 'it is not an exact origin'),
  refused('security headers null origin', '--cors-origins', 'null', 'it is not an exact origin'),
  refused('security headers wildcard', '--cors-origins', 'https://*.a.example', 'it is not an'),
  refused('security headers page', '--cors-origins', 'https://a.example/x', 'it is not an'),
  refused('security headers empty entry', '--cors-origins', 'https://a.example,,', 'an entry'),
  refused(
    'security headers proxy',
    '--trusted-proxies',
    'proxy.local',
    'it is not an address or a range; give one such as ::1',
  ),
  refused(
    'security headers proxy range',
    '--trusted-proxies',
    '10.0.0.0/33',
    'it is not an address or a range; give one such as ::1, 10.0.0.0/8 (up to /32',
  ),
  refused(
    'D43 host',
    '--allowed-hosts',
    'https://api.example',
    'it is no name and no address; give one such as api.example',
  ),
  refused('operation log word', '--access-log', 'yes', 'it is no descriptor'),
  refused('operation log descriptor', '--access-log', '9999', 'no such descriptor is open'),
  refused('D32 one line', '--port', 'a\nb', 'it is not a whole number'),
];

const NO_FLAG = 'there is no such flag; --help lists them';
const NO_VALUE = 'it has no value; write';

const refusedLines = (
  clause: string,
  argv: readonly string[],
  says: readonly string[],
  environment: RefusedLines['environment'] = {},
): RefusedLines => ({ clause, argv, environment, says });

export const REFUSED_LINES: readonly RefusedLines[] = [
  refusedLines(
    'D32 did you mean',
    ['--prot', '1'],
    ['Cannot use the flag "--prot": there is no such flag (did you mean --port?); --help lists them'],
  ),
  refusedLines(
    'D32 did you mean, one dash',
    ['-port', '1'],
    ['Cannot use the flag "-port": there is no such flag (did you mean --port?); --help lists them'],
  ),
  refusedLines(
    'D32 did you mean, the variable',
    ['--MAX_BODY=1k'],
    ['Cannot use the flag "--MAX_BODY": there is no such flag (did you mean --max-body?); --help lists them'],
  ),
  refusedLines(
    'D32 did you mean, the beginning',
    ['--trusted', 'loopback'],
    ['Cannot use the flag "--trusted": there is no such flag (did you mean --trusted-proxies?); --help lists them'],
  ),
  refusedLines(
    'D32 did you mean, an action',
    ['--versoin'],
    ['Cannot use the flag "--versoin": there is no such flag (did you mean --version?); --help lists them'],
  ),
  refusedLines(
    'D49 a body longer than all may be together',
    ['--max-body', '2m', '--max-body-memory', '1m'],
    [
      'Cannot use --max-body "2m": a body of 2097152 bytes needs 4259840 bytes of memory, not 1048576; ' +
        'change --max-body-memory too',
    ],
  ),
  refusedLines(
    'D49 the same by variable',
    [],
    [
      'Cannot use MAX_BODY_MEMORY "512k": a body of 1048576 bytes needs 2162688 bytes of memory, not 524288; change MAX_BODY too',
    ],
    { MAX_BODY_MEMORY: '512k' },
  ),
  refusedLines('D32 unknown flag', ['--nonsense', '-1'], [`Cannot use the flag "--nonsense": ${NO_FLAG}`]),
  refusedLines('D32 unknown short flag', ['-p', '1'], [`Cannot use the flag "-p": ${NO_FLAG}`]),
  refusedLines('D32 a number that no flag takes', ['-1'], [`Cannot use the flag "-1": ${NO_FLAG}`]),
  refusedLines('D32 member of Object', ['--constructor'], [`Cannot use the flag "--constructor": ${NO_FLAG}`]),
  refusedLines('D32 a flag that forges a line', ['--a\nb'], [`Cannot use the flag "--a\\nb": ${NO_FLAG}`]),
  refusedLines('D32 missing value', ['--port'], [`Cannot use the flag "--port": ${NO_VALUE} --port=VALUE`]),
  refusedLines(
    'D32 flag for a value',
    ['--port', '--host', 'x'],
    [`Cannot use the flag "--port": ${NO_VALUE} --port=VALUE`],
  ),
  refusedLines(
    'D32 positional',
    ['8080'],
    ['Cannot use the argument "8080": the service takes flags only; --help lists them'],
  ),
  refusedLines(
    'D32 positional behind --',
    ['--', '--port'],
    ['Cannot use the argument "--port": the service takes flags only; --help lists them'],
  ),
  refusedLines(
    'D32 a repeated flag',
    ['--port', '1', '--port', '2'],
    ['Cannot use --port "2": it is "1" already; give the flag once'],
  ),
  refusedLines(
    'D32 a repeated flag, the same value',
    ['--host', '::1', '--host=::1'],
    ['Cannot use --host "::1": it is "::1" already; give the flag once'],
  ),
  refusedLines(
    'D32 a list in two flags',
    ['--trusted-proxies', '::1', '--trusted-proxies', '::2'],
    ['Cannot use --trusted-proxies "::2": it is "::1" already; give the flag once'],
  ),
  refusedLines(
    'D32 -1 behind an equals sign',
    ['--port=-1'],
    ['Cannot use --port "-1": it is out of bounds; give 0 to 65535'],
  ),
  refusedLines(
    'D32 every fault',
    ['--prot', '80', 'x', '--port=80a', '--title', '--max-body', '0', '--model', 'bas', '--model', 'base'],
    [
      'Cannot use the flag "--prot": there is no such flag (did you mean --port?); --help lists them',
      'Cannot use the argument "x": the service takes flags only; --help lists them',
      'Cannot use the flag "--title": it has no value; write --title=VALUE',
      'Cannot use --model "base": it is "bas" already; give the flag once',
      'Cannot use --port "80a": it is not a whole number; give 0 to 65535',
      'Cannot use HOST "a b": it is neither an address nor a name; give one such as 127.0.0.1, :: or localhost, or set TODO_HOST where HOST is not meant for this service',
      'Cannot use --model "bas": it is none of the known words (did you mean base?); give base or annotated',
      'Cannot use --max-body "0": it is out of bounds; give 1 B to 256 MiB',
      'Cannot use MAX_ITEMS "-1": it is out of bounds; give 0 to 1000000000',
    ],
    { HOST: 'a b', MAX_ITEMS: '-1', PORT: 'hidden' },
  ),
  refusedLines(
    'D32 every entry of a list',
    [],
    [
      'Cannot use CORS_ORIGINS "*": it is not an exact origin; give one such as https://app.example:8443',
      'Cannot use CORS_ORIGINS "null": it is not an exact origin; give one such as https://app.example:8443',
      'Cannot use TRUSTED_PROXIES "a": it is not an address or a range; give one such as ::1, 10.0.0.0/8 (up to /32, for IPv6 up to /128), loopback or unix',
      'Cannot use TRUSTED_PROXIES "b": it is not an address or a range; give one such as ::1, 10.0.0.0/8 (up to /32, for IPv6 up to /128), loopback or unix',
    ],
    { CORS_ORIGINS: 'https://a.example,*,null', TRUSTED_PROXIES: 'a,::1,b' },
  ),
  refusedLines(
    'D117 a host without a port',
    ['--admin-host', '10.0.0.5', '--metrics', 'on'],
    ['Cannot use --admin-host "10.0.0.5": it has no port beside it; give --admin-port too'],
  ),
  refusedLines(
    'D117 the port of the service',
    [],
    ['Cannot use ADMIN_PORT "8080": the service itself listens there; choose another'],
    { ADMIN_PORT: '8080', METRICS: 'on' },
  ),
  refusedLines(
    'D117 nothing to answer',
    ['--admin-port', '9090', '--health-checks', 'off', '--metrics', 'off'],
    [
      'Cannot use --admin-port "9090": nothing is switched on that it would answer; give --health-checks, --metrics or --trace',
    ],
  ),
  refusedLines(
    'D117 nothing to answer',
    ['--admin-host', 'unix:/run/admin.sock', '--trace', 'off'],
    [
      'Cannot use --admin-host "unix:/run/admin.sock": nothing is switched on that it would answer; give --health-checks, --metrics or --trace',
    ],
    { HEALTH_CHECKS: 'off', METRICS: 'off' },
  ),
  refusedLines(
    'D32 blamed where it was given',
    ['--license-url', 'https://e.example'],
    ['Cannot use --license-url "https://e.example": it has no name beside it; give --license-name too'],
  ),
  refusedLines(
    'D32 blamed where it was given',
    [],
    ['Cannot use LICENSE_URL "https://e.example": it has no name beside it; give LICENSE_NAME too'],
    { LICENSE_URL: 'https://e.example' },
  ),
  refusedLines(
    'D32 a wrong name is one',
    ['--license-url', 'https://e.example', '--license-name='],
    ['Cannot use --license-name "": it is empty; give a text, or leave the setting out'],
  ),
  refusedLines(
    'D32 one by flag, one by variable',
    ['--max-body-memory', '1k'],
    [
      'Cannot use MAX_BODY "1m": a body of 1048576 bytes needs 2162688 bytes of memory, not 1024; change --max-body-memory too',
    ],
    { MAX_BODY: '1m' },
  ),
  refusedLines(
    'D32 one by variable, one by flag',
    ['--max-body', '1m'],
    [
      'Cannot use --max-body "1m": a body of 1048576 bytes needs 2162688 bytes of memory, not 1024; change MAX_BODY_MEMORY too',
    ],
    { MAX_BODY_MEMORY: '1k' },
  ),
  refusedLines(
    'D32 no rule between two where one is wrong',
    ['--max-body-memory', '1k', '--max-body', 'x'],
    ['Cannot use --max-body "x": it is not a size; give bytes, or a size such as 512k or 1MiB'],
  ),
];
