/**
 * Turns the error of a failed start into plain lines and an exit code (D32).
 *
 * The code tells a supervisor what to do: 1 is a fault of the machine, so a restart may help; 2 is a fault of the
 * settings, so it will not.
 */
import { isIP } from 'node:net';
import { PluginError } from '../core/application/plugin.ts';
import { logEntry, oneLine } from '../core/log/log-line.ts';
import { thrownMember, thrownMessage, thrownText } from '../core/log/thrown-value.ts';
import { StoreError } from '../extensions/collection/store-error.ts';
import { AdminPortError, socketPathOf } from './listening.ts';
import { withoutSecrets } from './quoted.ts';
import { type Settings, SettingsError } from './settings/settings.ts';
import { orPrefixed } from './settings/table.ts';

/** The lines for standard error, at least one for each fault, and the exit code. */
export type StartError = { readonly lines: readonly string[]; readonly exitCode: 1 | 2 };

/** The settings that the lines name. */
export interface StartSettings extends Pick<Settings, 'host' | 'port' | 'adminHost' | 'adminPort'> {
  /** The flag or the variable of a setting, as `GivenSettings` names it. */
  readonly nameOf: (key: keyof Settings) => string;
}

/** A name that does not resolve, or not yet: code 1, since a restart may help. */
export class UnresolvedName extends Error {}

/** Rejects with an `UnresolvedName` for a host that is no IP address and does not resolve; `name`: `--host`, `HOST`. */
export async function assertResolvable(host: string, name: string): Promise<void> {
  // `isIP` compiles a long expression for IPv6: 7 ms of the 100 ms of a start of the image, which listens on `::`.
  if (host === '::' || isIP(host) !== 0 || socketPathOf(host) !== undefined) return;
  const { lookup } = await import('node:dns/promises');
  try {
    await lookup(host);
  } catch {
    const cause = 'it is no address and the name does not resolve; give one such as 127.0.0.1';
    throw new UnresolvedName(`Cannot use ${name} "${withoutSecrets(host)}": ${cause}${orPrefixed(name)}`);
  }
}

/** The lines and the exit code for an error. No line contains a line break or another control character. */
export function startError(error: unknown, settings: StartSettings): StartError {
  if (error instanceof AggregateError && error.errors.length > 0) {
    const each = error.errors.map((one) => startError(one, settings));
    const exitCode = each.every((one) => one.exitCode === 2) ? 2 : 1;
    return { lines: each.flatMap(({ lines }) => lines), exitCode };
  }
  if (error instanceof SettingsError) return { lines: error.lines.map(oneLine), exitCode: error.exitCode };
  const [line, exitCode] = faultOf(error, settings);
  return { lines: [oneLine(line)], exitCode };
}

/** What the program adds to the message of a store. */
const STORE_REMEDIES = {
  TOO_MANY_ITEMS: ' with --max-items',
  DAMAGED: ' with --copy-store BACKUP FILE',
  NO_SQLITE: ', such as --store redis://…',
} as const;

function faultOf(error: unknown, settings: StartSettings): readonly [line: string, exitCode: 1 | 2] {
  const { nameOf } = settings;
  // Only a plugin from a file can fail in this way.
  if (error instanceof PluginError)
    return [`Cannot use ${nameOf('plugin')} "${withoutSecrets(error.plugin)}": ${error.reason}`, 2];
  if (error instanceof AdminPortError) {
    const { adminHost: host, adminPort: port = 0 } = settings;
    return faultOf(error.cause, {
      ...{ ...settings, host, port },
      nameOf: (key) => nameOf(key === 'host' ? 'adminHost' : key === 'port' ? 'adminPort' : key),
    });
  }
  if (error instanceof UnresolvedName) return [error.message, 1];
  const cause = error instanceof StoreError ? error : thrownMember(error, 'cause');
  if (cause instanceof StoreError) {
    const remedy = cause.code === undefined ? '' : STORE_REMEDIES[cause.code];
    return [cause.message + remedy, cause.isTemporary ? 1 : 2];
  }
  const syscall = thrownMember(error, 'syscall');
  const code = thrownText(thrownMember(error, 'code'));
  if (syscall === 'listen' || syscall === 'bind') return [listenFault(code, settings), 1];
  if (code !== 'ERR_ACCESS_DENIED') return [`Cannot start: ${thrownMessage(error)}`, 1];
  // The permissions of Node are limited.
  const isNet = thrownMember(error, 'permission') === 'Net';
  const right = isNet ? 'the network; start it with --allow-net' : `something it needs (${thrownMessage(error)})`;
  return [`Cannot start: Node has no right to ${right}`, 2];
}

function listenFault(code: string, { host, port, nameOf }: StartSettings): string {
  const isUnix = socketPathOf(host) !== undefined;
  const [hostName, portName] = [nameOf('host'), nameOf('port')];
  const otherHost = `choose another ${hostName}${orPrefixed(hostName)}`;
  const causes = isUnix
    ? new Map([
        ['EADDRINUSE', `another program answers there, or it is no socket; stop that, or choose another ${hostName}`],
        ['EACCES', 'there is no such folder, or this user may not write to it; make one with that right'],
      ])
    : new Map([
        ['EADDRINUSE', `another program listens there; stop it, or choose another ${portName}`],
        ['EADDRNOTAVAIL', `this machine does not have the address; ${otherHost}`],
        ['EACCES', `this user may not listen there; choose a ${portName} of 1024 or more`],
        ['EAFNOSUPPORT', `this machine does not speak that address family; ${otherHost}`],
        ['EMFILE', 'too many files are open; raise the limit of open files'],
      ]);
  const place = isUnix ? withoutSecrets(host) : `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return `Cannot listen on "${place}": ${causes.get(code) ?? `the system refused with ${code}`}`;
}

/** Writes the lines for an error to standard error, as they are or in JSON, and sets the exit code of the process. */
export function reportStartError(error: unknown, settings: StartSettings, isJson = false): void {
  const { lines, exitCode } = startError(error, settings);
  if (isJson) for (const message of lines) logEntry({ level: 'error', message });
  else console.error(lines.join('\n'));
  process.exitCode = exitCode;
}
