/** Starts nginx, HAProxy and Caddy with the configurations of `src/deploy`. Only addresses and files are replaced. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type NetConnectOpts } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CERTIFICATE, KEY } from '../../support/certificate.ts';
import { freePort } from '../../support/lasting-stores.ts';
import { until } from '../../support/until.ts';

/** A replacement of a text in a configuration. */
export type Changes = Readonly<Record<string, string>>;

interface Kind {
  /** The path in `src/deploy`. */
  readonly file: string;
  /** The argument that prints the version. */
  readonly version: string;
  /** The lines that listen for TLS and for the redirect, and the lines that replace them in the test. */
  listening(port: number, plainPort: number, isSecure: boolean): Changes;
  /** The lines that limit the rates of clients. Tests remove them. */
  readonly unlimited: Changes;
  /** Other files in its folder, and the arguments that start it there. */
  readonly files: Readonly<Record<string, string>>;
  readonly start: readonly string[];
}

/** The lines that make nginx write its temporary files in its folder. */
export const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  .map((name) => `${name}_temp_path ${name};`)
  .join(' ');

const KINDS = {
  nginx: {
    file: 'nginx.conf',
    version: '-v',
    listening: (port, plainPort, isSecure) => ({
      'listen 80;': `listen 127.0.0.1:${plainPort};`,
      'listen [::]:80;': '',
      'listen 443 ssl http2;': `listen 127.0.0.1:${port}${isSecure ? ' ssl http2' : ''};`,
      'listen [::]:443 ssl http2;': noIpv6 ? '' : `listen [::1]:${port}${isSecure ? ' ssl http2' : ''};`,
      '/var/log/nginx/todo.log': 'access.log',
      '/etc/nginx/todo.pem': 'todo.crt',
      '/etc/nginx/todo.key': 'todo.key',
    }),
    unlimited: { 'rate=100r/s': 'rate=1000000r/s' },
    files: {
      'main.conf': `
        daemon off;
        master_process off;
        pid nginx.pid;
        error_log stderr error;
        events { worker_connections 4096; }
        http {
          access_log off;
          ${TEMPORARY}
          include nginx.conf;
        }`,
    },
    start: ['nginx', '-p', '.', '-e', 'stderr', '-c', 'main.conf'],
  },
  haproxy: {
    file: 'haproxy.cfg',
    version: '-v',
    listening: (port, plainPort, isSecure) => ({
      'bind :80,[::]:80': `bind 127.0.0.1:${plainPort}`,
      'bind :443,[::]:443': `bind 127.0.0.1:${port}${noIpv6 ? '' : `,[::1]:${port}`}`,
      ...(isSecure
        ? { '/etc/haproxy/todo.pem': 'todo.pem' }
        : { 'ssl crt /etc/haproxy/todo.pem ssl-min-ver TLSv1.2 alpn h2,http/1.1': '' }),
    }),
    unlimited: { 'gt 200': 'gt 1000000' },
    files: { 'todo.pem': CERTIFICATE + KEY },
    start: ['haproxy', '-db', '-f', 'haproxy.cfg'],
  },
  caddy: {
    file: 'Caddyfile',
    version: 'version',
    listening: (port, plainPort, isSecure) => ({
      '{\n\tservers {': `{\n\tadmin off\n\thttp_port ${plainPort}\n\tservers {`,
      'todo.example {': isSecure
        ? `https://localhost:${port}, https://127.0.0.1:${port} {\n\ttls todo.crt todo.key`
        : `http://:${port} {\n\tbind 127.0.0.1`,
    }),
    unlimited: {},
    files: {},
    start: ['caddy', 'run', '--config', 'Caddyfile', '--adapter', 'caddyfile'],
  },
} as const satisfies Readonly<Record<string, Kind>>;

/** The reason why IPv6 cannot be tested on this machine, or false. */
export const noIpv6: string | false =
  !Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1')) &&
  'this machine has no IPv6';

export type ProxyName = keyof typeof KINDS;
export const PROXIES = Object.keys(KINDS) as readonly ProxyName[];

/** Returns the reason why a proxy cannot be tested on this machine, or false. */
export const noProxy = (name: ProxyName): string | false =>
  spawnSync(name, [KINDS[name].version]).error === undefined ? false : `${name} is not installed`;

export interface RunningProxy {
  readonly port: number;
  /** The port that redirects to the other. */
  readonly plainPort: number;
  /** The end of its output, and its access log. */
  output(): string;
  stop(): Promise<void>;
}

/**
 * Starts a proxy in front of two instances and waits until it listens. Without `isSecure`, it uses plain HTTP. It limits
 * rates only with `isLimited`. `changes` are also applied to the configuration.
 */
export async function startProxy(
  name: ProxyName,
  instances: readonly [number, number],
  { isSecure = true, isLimited = false, changes = {} as Changes } = {},
): Promise<RunningProxy> {
  const kind: Kind = KINDS[name];
  const [port, plainPort] = [await freePort(), await freePort()];
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  let configuration = readFileSync(new URL(`../../../src/deploy/${kind.file}`, import.meta.url), 'utf8');
  for (const [text, replacement] of Object.entries({
    '127.0.0.1:8081': `127.0.0.1:${instances[0]}`,
    '127.0.0.1:8082': `127.0.0.1:${instances[1]}`,
    ...kind.listening(port, plainPort, isSecure),
    ...(isLimited ? {} : kind.unlimited),
    ...changes,
  })) {
    assert.equal(configuration.split(text).length, 2, `${kind.file} has to have once: ${text}`);
    configuration = configuration.replace(text, () => replacement);
  }
  const tls = { 'todo.crt': CERTIFICATE, 'todo.key': KEY };
  const files = { 'access.log': '', ...tls, ...kind.files, [kind.file]: configuration };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const [command = '', ...given] = kind.start;
  const child: ChildProcess = spawn(command, given, {
    cwd: folder,
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-20_000);
    });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until(
      () => {
        if (child.exitCode !== null) throw new Error(`${name} exited with code ${child.exitCode}: ${output}`);
        return accepts({ port, host: '127.0.0.1' });
      },
      `${name} listens`,
      20_000,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, plainPort, output: () => output + readFileSync(join(folder, 'access.log'), 'utf8'), stop };
}

/** Returns whether something listens there. */
export const accepts = (where: NetConnectOpts): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(where).once('error', () => resolve(false));
    socket.once('connect', () => resolve(true)).once('connect', () => socket.destroy());
  });
