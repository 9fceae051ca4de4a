/**
 * Lists every setting with its kind, its default and its help; add a setting here (D32).
 *
 * The key gives the names: `maxBody` is `--max-body`, `TODO_MAX_BODY` and `MAX_BODY`. One flag has a name of its own:
 * `--static`, whose variable is `STATIC_ROOT`.
 */
import { LIMITS, TICK_MS } from '../../core/wire/connection/limits.ts';
import * as kinds from './kinds.ts';

/** One row of the table. */
export interface Setting<Value> {
  readonly kind: kinds.Kind<Value>;
  /** The value where neither flag nor variable gives one. */
  readonly default: Value;
  readonly help: string;
  /** The default in words, where the value itself does not explain it. */
  readonly defaultText?: string | undefined;
}

/** The name of the flag: `maxBody` → `--max-body`. */
export const flagOf = (key: string): string =>
  key === 'staticRoot' ? '--static' : `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** With it each variable is surely meant for this service; it wins over the name without it. */
export const PREFIX = 'TODO_';

/** The name of the environment variable: `maxBody` → `MAX_BODY`. `CONFIG` alone belongs to too many programs. */
export const variableOf = (key: string, prefix = ''): string =>
  `${key === 'config' ? PREFIX : prefix}${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`;

/** A way out, for a variable of one word, which the machine may have set for others; else empty. */
export const orPrefixed = (name: string): string =>
  /^[A-Z]+$/.test(name) ? `, or set ${PREFIX}${name} where ${name} is not meant for this service` : '';

const { KIB, MIB, GIB, HOUR, bytes, choice, duration, onOff, wholeNumber } = kinds;
const prose = kinds.text('TEXT', 'text', String);
const connections = wholeNumber(1, 1e6, 'COUNT', 'connections');
const time = duration(100, HOUR);
const longTime = duration(TICK_MS, 24 * HOUR);
const grace = duration(0, HOUR);

const row = <Value>(kind: kinds.Kind<Value>, value: Value, help: string, defaultText?: string): Setting<Value> => ({
  ...{ kind, default: value, help, defaultText },
});

/** A setting without a default. */
const none = <Value>(kind: kinds.Kind<Value>, help: string, defaultText = 'none'): Setting<Value | undefined> =>
  row<Value | undefined>(kind, undefined, help, defaultText);

/** The settings in the order of `--help`. */
export const TABLE = {
  port: row(wholeNumber(0, 65535, 'PORT'), 8080, 'Port to listen on; with 0 the system chooses a free one'),
  host: row(kinds.host, '127.0.0.1', 'Address to listen on; 0.0.0.0 or :: for all of the machine; a Unix socket'),
  reusePort: row(kinds.reusePort, false, 'Lets several services listen on one port; Linux with Node 22.12 or newer'),
  basePath: row(kinds.basePath, '', 'Path in front of every path, such as /todo; requests without it are taken too'),
  staticRoot: none(kinds.folder, 'Folder of static files to serve', 'off'),
  propertyNaming: row(
    choice('camelCase', 'PascalCase'),
    'camelCase',
    'Casing of member names in payloads and description',
  ),
  model: row(choice('base', 'annotated'), 'base', 'Whether a name may be left out (base) or is required (annotated)'),
  plugin: row(kinds.files, [], 'Plugin to load, a JavaScript or TypeScript file; commas between several', 'none'),
  config: none(kinds.file('file.json or file.env'), 'File of settings, for those that neither flag nor variable gives'),

  comments: row(onOff, true, 'Summaries, remarks, texts of statuses and of properties in the description'),
  title: row(prose, 'To-do API', 'Title of the description'),
  description: row(
    prose,
    'Keeps a list of to-do items. Errors are problem details (application/problem+json).',
    'What the description says of the service',
  ),
  infoVersion: row(
    prose,
    'v1',
    'Version of the API in the description (info.version); --version is that of this program',
  ),
  termsOfService: none(prose, 'Terms of service in the description'),
  contactName: none(prose, 'Name of the contact in the description'),
  contactUrl: none(kinds.webAddress, 'Address of the contact in the description'),
  contactEmail: none(kinds.mailAddress, 'Mail address of the contact in the description'),
  licenseName: none(prose, 'Name of the licence in the description'),
  licenseUrl: none(kinds.webAddress, 'Address of the licence in the description; needs --license-name'),

  maxBody: row(bytes(1, 256 * MIB), LIMITS.maxBody, 'Longest request body, content coding undone (413)'),
  maxHeaderBytes: row(bytes(KIB, MIB), LIMITS.maxHeaderBytes, 'Longest head of a request, request line included (431)'),
  requestTimeout: row(time, LIMITS.requestTimeout, 'Time for a whole request to arrive (408)'),
  maxBodyMemory: none(
    bytes(KIB, 64 * GIB),
    'Most memory that bodies take, all requests together (503)',
    '64 MiB, or a sixteenth of the container',
  ),
  handlerTimeout: row(longTime, LIMITS.handlerTimeout, 'Time for a handler to answer, its body being in (503)'),
  writeTimeout: row(time, LIMITS.writeTimeout, 'Time a client may leave an answer unread before it is cut'),
  idleTimeout: row(time, LIMITS.idleTimeout, 'Time a kept connection may wait for its next request'),
  maxConnections: row(connections, LIMITS.maxConnections, 'Most open connections (503 for a further one)'),
  drainDelay: row(
    grace,
    0,
    'Time to go on accepting after SIGTERM or SIGINT, with /ready at 503 and Connection: close, before the stop',
  ),
  shutdownGrace: row(grace, 8000, 'Time for running requests to end after SIGTERM or SIGINT'),

  store: row(kinds.store, 'memory', 'Where items are kept; what is in memory ends with the process'),
  storeFile: none(kinds.file('file'), 'File that has the URL of a Redis store, so that its password is nowhere else'),
  storeTimeout: row(duration(10, HOUR), 2000, 'Time for one operation of a Redis store (503)'),
  storeWait: row(duration(0, HOUR), 10_000, 'Time in which a Redis store must be reached at the start; 0 for one try'),
  maxStoreBytes: none(
    bytes(KIB, 1024 * GIB),
    'Most memory that items may take, or most bytes of an SQLite file and its log, without limit there unless given (507)',
    'a quarter of the heap limit, or an eighth of the container',
  ),
  maxItems: row(kinds.itemLimit, Infinity, 'Most items (507)'),

  corsOrigins: row(kinds.origins, [], 'Origins whose pages may call the service from a browser'),
  allowedHosts: row(
    kinds.hosts,
    [],
    'Names and addresses that are answered, with a port or with any (421 for others); localhost for every loopback name',
  ),
  trustedProxies: row(kinds.proxies, [], 'Proxies whose X-Forwarded-For, -Proto, -Host and -Prefix are believed'),
  logFormat: none(
    choice('text', 'json'),
    'How every line of the process is written, then with its process; those of requests with route, trace and whole time',
    'text at start and stop, JSON for the log',
  ),
  accessLog: none(
    kinds.descriptor,
    'One line per request, JSON unless --log-format is text, to standard output (on) or to a descriptor',
    'off',
  ),
  adminPort: none(
    wholeNumber(0, 65535, 'PORT'),
    'Port of their own for /metrics, /health, /ready and /trace, which --port does not answer then; alone it turns on health checks and metrics',
    'off',
  ),
  adminHost: row(kinds.host, '127.0.0.1', 'Address of --admin-port, or a Unix socket in its place'),
  healthChecks: row(onOff, false, 'Answers at /health and /ready; --health is the asking side'),
  metrics: row(onOff, false, 'Figures in the Prometheus text format at /metrics'),
  trace: row(
    choice('off', 'on', 'any'),
    'off',
    'Last requests, stage by stage, at /trace, for this machine (on) or for everyone (any)',
  ),
} satisfies Readonly<Record<string, Setting<unknown>>>;

export type Key = keyof typeof TABLE;

export const ROWS = Object.entries(TABLE) as readonly (readonly [Key, Setting<unknown>])[];

/** The heading of each group of settings, by the key of its first row. */
export const HEADINGS: Readonly<Record<string, string>> = {
  port: 'Service',
  comments: 'Description',
  maxBody: 'Limits',
  store: 'Items',
  corsOrigins: 'Operation',
};
