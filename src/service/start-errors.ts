/**
 * Turns the error of a failed start into lines of text and an exit code (D32).
 *
 * Exit code 1 means that the machine is not ready, so a restart may help. Exit code 2 means that a setting is wrong, so
 * a restart will not help.
 */
import { isIP } from 'node:net';
import { PluginError } from '../core/application/plugin.ts';
import { logEntry, oneLine } from '../core/log/log-line.ts';
import { thrownMember, thrownMessage, thrownText } from '../core/log/thrown-value.ts';
import { StoreError } from '../plugins/collection/store-error.ts';
import { AdminPortError, socketPathOf } from './listening.ts';
import { withoutSecrets } from './quoted.ts';
import { type Settings, SettingsError } from './settings/settings.ts';
import { orPrefixed } from './settings/table.ts';

/** The lines for standard error, with at least one line for each mistake, and the exit code. */
export type StartError = { readonly lines: readonly string[]; readonly exitCode: 1 | 2 };

/** The settings that the lines may quote. */
export interface StartSettings extends Pick<Settings, 'host' | 'port' | 'adminHost' | 'adminPort'> {
  /** Returns the flag or the variable with which a setting was set, see `nameOf` of `GivenSettings`. */
  readonly nameOf: (key: keyof Settings) => string;
}

/** Thrown for a host name that does not resolve. The exit code is 1, because the name may resolve later. */
export class UnresolvedName extends Error {}

/** Rejects with an `UnresolvedName` if the host does not resolve. `name` is the flag or variable, such as `--host`. */
export async function assertResolvable(host: string, name: string): Promise<void> {
  // The image listens on `::`. Without the first check, `isIP` would add 7 ms to the start of 100 ms.
  if (host === '::' || isIP(host) !== 0 || socketPathOf(host) !== undefined) return;
  const { lookup } = await import('node:dns/promises');
  try {
    await lookup(host);
  } catch {
    const cause = 'it is not an address, and the name does not resolve; give one such as 127.0.0.1';
    throw new UnresolvedName(`Cannot use ${name} "${withoutSecrets(host)}": ${cause}${orPrefixed(name)}`);
  }
}

/** Returns the lines and the exit code for an error. No line contains a line break or another control character. */
export function startError(error: unknown, settings: StartSettings): StartError {
  if (error instanceof AggregateError && error.errors.length > 0) {
    const parts = error.errors.map((part) => startError(part, settings));
    const exitCode = parts.every((part) => part.exitCode === 2) ? 2 : 1;
    return { lines: parts.flatMap(({ lines }) => lines), exitCode };
  }
  if (error instanceof SettingsError) return { lines: error.lines.map(oneLine), exitCode: error.exitCode };
  const [line, exitCode] = lineAndCode(error, settings);
  return { lines: [oneLine(line)], exitCode };
}

/** The flags that are added to the remedy in the message of a store. The store does not know the flags. */
const STORE_REMEDIES = {
  TOO_MANY_ITEMS: ' with --max-items',
  DAMAGED: ' with --copy-store BACKUP FILE',
  NO_SQLITE: ', such as --store redis://…',
} as const;

function lineAndCode(error: unknown, settings: StartSettings): readonly [line: string, exitCode: 1 | 2] {
  const { nameOf } = settings;
  // Only a plugin from a file of `--plugin` can cause this error.
  if (error instanceof PluginError)
    return [`Cannot use ${nameOf('plugin')} "${withoutSecrets(error.plugin)}": ${error.reason}`, 2];
  if (error instanceof AdminPortError) {
    const { adminHost: host, adminPort: port = 0 } = settings;
    return lineAndCode(error.cause, {
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
  if (syscall === 'listen' || syscall === 'bind') return [listenErrorLine(code, settings), 1];
  if (code !== 'ERR_ACCESS_DENIED') return [`Cannot start: ${thrownMessage(error)}`, 1];
  // ERR_ACCESS_DENIED occurs only if Node runs with --permission.
  const isNet = thrownMember(error, 'permission') === 'Net';
  const right = isNet ? 'the network; start it with --allow-net' : `something it needs (${thrownMessage(error)})`;
  return [`Cannot start: Node has no right to ${right}`, 2];
}

function listenErrorLine(code: string, { host, port, nameOf }: StartSettings): string {
  const isUnix = socketPathOf(host) !== undefined;
  const [hostName, portName] = [nameOf('host'), nameOf('port')];
  const otherHost = `choose another ${hostName}${orPrefixed(hostName)}`;
  const causes = isUnix
    ? new Map([
        ['EADDRINUSE', `another program answers there, or the file is not a socket; choose another ${hostName}`],
        ['EACCES', 'the folder does not exist, or this user may not write to it; create it, or allow that'],
      ])
    : new Map([
        ['EADDRINUSE', `another program listens there; stop it, or choose another ${portName}`],
        ['EADDRNOTAVAIL', `this machine does not have the address; ${otherHost}`],
        ['EACCES', `this user may not listen there; choose a ${portName} of 1024 or more`],
        ['EAFNOSUPPORT', `this machine does not support that address family; ${otherHost}`],
        ['EMFILE', 'too many files are open; raise the limit of open files'],
      ]);
  const place = isUnix ? withoutSecrets(host) : `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return `Cannot listen on "${place}": ${causes.get(code) ?? `the system reported ${code}`}`;
}

/** Writes the lines for an error to standard error, as text or JSON, and sets the exit code of the process. */
export function reportStartError(error: unknown, settings: StartSettings, isJson = false): void {
  const { lines, exitCode } = startError(error, settings);
  if (isJson) for (const message of lines) logEntry({ level: 'error', message });
  else console.error(lines.join('\n'));
  process.exitCode = exitCode;
}
