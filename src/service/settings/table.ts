/**
 * Lists every setting with its kind, its default and its help. Add new settings here (D32).
 *
 * The names are made from the key: the flag of `maxBody` is `--max-body`, and its variable is `TODO_MAX_BODY`.
 */
import { LIMITS, TICK_MS } from '../../core/http/limits.ts';
import { DEFAULT_INFO, infoOf } from './info.ts';
import * as kinds from './kinds.ts';

export interface Setting<Value> {
  readonly kind: kinds.Kind<Value>;
  readonly default: Value;
  readonly help: string;
  /** The default in words for `--help`, if the value alone does not explain it. */
  readonly defaultText?: string | undefined;
}

export const flagOf = (key: string): string => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The prefix of the variables. Only `PORT` and `HOST` are also read without it, because hosting platforms set them. */
export const PREFIX = 'TODO_';

export const variableOf = (key: string): string => `${PREFIX}${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`;

/** Returns a remedy for `PORT` and `HOST`, because they may be set for another program. Empty for other names. */
export const orPrefixed = (name: string): string =>
  /^(?:PORT|HOST)$/.test(name) ? `, or set ${PREFIX}${name} if ${name} is meant for another program` : '';

const { KIB, MIB, GIB, HOUR, bytes, choice, duration, onOff, wholeNumber } = kinds;
const connections = wholeNumber(1, 1e6, 'COUNT', 'connections');
const time = duration(100, HOUR);
const longTime = duration(TICK_MS, 24 * HOUR);
const grace = duration(0, HOUR);

const row = <Value>(kind: kinds.Kind<Value>, value: Value, help: string, defaultText?: string): Setting<Value> => ({
  ...{ kind, default: value, help, defaultText },
});

const none = <Value>(kind: kinds.Kind<Value>, help: string, defaultText: string): Setting<Value | undefined> =>
  row<Value | undefined>(kind, undefined, help, defaultText);

export const TABLE = {
  port: row(wholeNumber(0, 65535, 'PORT'), 8080, 'Port to listen on; 0 lets the system choose a free port'),
  host: row(kinds.host, '127.0.0.1', 'Address or Unix socket to listen on; 0.0.0.0 or :: listens on all addresses'),
  reusePort: row(onOff, false, 'Lets several services share one port; needs Linux and Node 22.12 or newer'),
  basePath: row(kinds.basePath, '', 'Path prefix such as /todo; requests without the prefix are answered too'),
  static: none(kinds.folder, 'Folder of static files to serve', 'off'),
  propertyNaming: row(
    choice('camelCase', 'PascalCase'),
    'camelCase',
    'Casing of member names in JSON bodies and in the description',
  ),
  model: row(choice('base', 'annotated'), 'base', 'Whether an item may lack a name (base) or needs one (annotated)'),
  info: row(
    kinds.file('JSON file', infoOf),
    DEFAULT_INFO,
    'File with members of the info object of the description: title, version, description, termsOfService, contact, license',
    `the title ${DEFAULT_INFO.title}, the version ${DEFAULT_INFO.version} and a text`,
  ),
  comments: row(onOff, true, 'Whether the description has summaries, remarks, and texts for statuses and properties'),
  plugin: row(kinds.files, [], 'Plugins to load: JavaScript or TypeScript files'),

  maxBody: row(bytes(1, 256 * MIB), LIMITS.maxBody, 'Longest request body, after decompression (413)'),
  maxHeaderBytes: row(bytes(KIB, MIB), LIMITS.maxHeaderBytes, 'Longest request head, with the request line (431)'),
  requestTimeout: row(time, LIMITS.requestTimeout, 'Time until the whole request has arrived (408)'),
  maxBodyMemory: none(
    bytes(KIB, 64 * GIB),
    'Most memory for the bodies of all requests together (503)',
    '64 MiB, or a sixteenth of the container',
  ),
  handlerTimeout: row(longTime, LIMITS.handlerTimeout, 'Time for a handler to answer after the body has arrived (503)'),
  writeTimeout: row(
    time,
    LIMITS.writeTimeout,
    'Longest pause while a client reads a reply; then its connection closes',
  ),
  idleTimeout: row(time, LIMITS.idleTimeout, 'Time to keep an idle connection open for its next request'),
  maxConnections: row(connections, LIMITS.maxConnections, 'Most open connections (503 beyond)'),
  drainDelay: row(
    grace,
    0,
    'Time after SIGTERM or SIGINT before the stop; /ready is 503, and replies have Connection: close',
  ),
  shutdownGrace: row(grace, 8000, 'Time for running requests to end after SIGTERM or SIGINT'),

  store: row(kinds.store, 'memory', 'Where items are stored; items in memory are lost when the process ends'),
  storeTimeout: row(duration(10, HOUR), 2000, 'Time for one command of a Redis store (503)'),
  storeWait: row(duration(0, HOUR), 10_000, 'Time for reaching a Redis store at the start; 0 for one attempt'),
  maxStoreBytes: none(
    bytes(KIB, 1024 * GIB),
    'Most memory for items; for SQLite, most bytes of the file and its write-ahead log, by default without limit (507)',
    'a quarter of the heap limit, or an eighth of the container',
  ),
  maxItems: none(wholeNumber(1, 1e9, 'COUNT', 'items'), 'Most items in the store (507)', 'no limit'),

  corsOrigins: row(kinds.origins, [], 'Web origins whose pages may call the service from a browser (CORS)'),
  allowedHosts: row(
    kinds.hosts,
    [],
    'Host names and addresses to answer, with a port or for any port (421 for others); localhost is every loopback name',
  ),
  trustedProxies: row(kinds.proxies, [], 'Proxies whose X-Forwarded-For, -Proto, -Host and -Prefix are trusted'),
  logFormat: row(
    choice('text', 'json'),
    'text',
    'Format of the lines at start and stop; all others are JSON. json adds the process id to each line, and trace ids',
  ),
  accessLog: row(onOff, false, 'Writes one line of JSON per request to standard output'),
  adminPort: none(
    wholeNumber(0, 65535, 'PORT'),
    'Separate port for /metrics, /health, /ready and /trace; turns on health checks and metrics, unless they are set',
    'off',
  ),
  adminHost: row(kinds.host, '127.0.0.1', 'Address of --admin-port, or a Unix socket instead'),
  healthChecks: row(onOff, false, 'Answers /health and /ready; the action --health asks /health'),
  metrics: row(onOff, false, 'Answers /metrics in the Prometheus text format'),
  trace: row(
    choice('off', 'on', 'any'),
    'off',
    'Shows the last requests, stage by stage, at /trace: only to this machine (on) or to everyone (any)',
  ),
} satisfies Readonly<Record<string, Setting<unknown>>>;

export type Key = keyof typeof TABLE;

export const ROWS = Object.entries(TABLE) as readonly (readonly [Key, Setting<unknown>])[];

/** The heading of each group of settings, by the key of the first setting in the group. */
export const HEADINGS: Readonly<Record<string, string>> = {
  port: 'Service',
  maxBody: 'Limits',
  store: 'Items',
  corsOrigins: 'Running',
};
