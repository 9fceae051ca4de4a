/**
 * Turns the error of a failed start into lines of text and an exit code (D32).
 *
 * Exit code 1 means that the machine is not ready, so a restart may help. Exit code 2 means that a setting or a plugin is
 * wrong, so a restart will not help.
 */
import { isIP } from 'node:net';
import { PluginError } from '../core/application/plugin.ts';
import { logEntry, oneLine } from '../core/log/log-line.ts';
import { thrownMember, thrownMessage, thrownText } from '../core/log/thrown-value.ts';
import { StoreError } from '../plugins/collection/store-error.ts';
import { ListenError, socketPathOf } from './listening.ts';
import { withoutSecrets } from './quoted.ts';
import { type GivenSettings, SettingsError } from './settings/settings.ts';
import { orPrefixed } from './settings/table.ts';

type StartError = { readonly lines: readonly string[]; readonly exitCode: 1 | 2 };

type NameOf = GivenSettings['nameOf'];

/** Thrown for a host name that does not resolve. The exit code is 1, because the name may resolve later. */
class UnresolvedName extends Error {}

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

/** Resolves to the values of all promises. Rejects with an `AggregateError` that contains all their errors. */
export async function allOf<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  const results = await Promise.allSettled(promises);
  const errors: unknown[] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, errors.map(thrownMessage).join('; '));
  return Promise.all(promises);
}

/** Returns the lines and the exit code for an error. No line contains a line break or another control character. */
export function startError(error: unknown, nameOf: NameOf): StartError {
  if (error instanceof AggregateError && error.errors.length > 0) {
    const parts = error.errors.map((part) => startError(part, nameOf));
    const exitCode = parts.every((part) => part.exitCode === 2) ? 2 : 1;
    // `--check` tests the store, and the application with the same store: both report the same error.
    return { lines: [...new Set(parts.flatMap(({ lines }) => lines))], exitCode };
  }
  if (error instanceof SettingsError) return { lines: error.lines.map(oneLine), exitCode: 2 };
  const [line, exitCode] = lineAndCode(error, nameOf);
  return { lines: [oneLine(line)], exitCode };
}

/** The flags that are added to the remedy in the message of a store. The store does not know the flags. */
const STORE_REMEDIES = {
  TOO_MANY_ITEMS: ' with --max-items',
  DAMAGED: ' with --copy-store BACKUP FILE',
  NO_SQLITE: ', such as --store redis://…',
} as const;

function lineAndCode(error: unknown, nameOf: NameOf): readonly [line: string, exitCode: 1 | 2] {
  if (error instanceof UnresolvedName) return [error.message, 1];
  const cause = thrownMember(error, 'cause');
  const stored = error instanceof StoreError ? error : cause;
  if (stored instanceof StoreError) {
    const remedy = stored.code === undefined ? '' : STORE_REMEDIES[stored.code];
    return [stored.message + remedy, stored.isTemporary ? 1 : 2];
  }
  if (error instanceof PluginError) {
    const { message, plugin, reason } = error;
    if (message.startsWith('Cannot start')) return [`Cannot start the plugin "${plugin}": ${reason}`, 2];
    // Only a plugin from a file of `--plugin` can cause the other errors.
    return [`Cannot use ${nameOf('plugin')} "${withoutSecrets(plugin)}": ${reason}`, 2];
  }
  const reported = error instanceof ListenError ? cause : error;
  if (thrownMember(reported, 'code') === 'ERR_ACCESS_DENIED') {
    // This occurs only if Node runs with --permission.
    const isNet = thrownMember(reported, 'permission') === 'Net';
    const right = isNet ? 'the network; start it with --allow-net' : `something it needs (${thrownMessage(reported)})`;
    return [`Cannot start: Node has no right to ${right}`, 2];
  }
  return [error instanceof ListenError ? listenErrorLine(error, nameOf) : `Cannot start: ${thrownMessage(error)}`, 1];
}

function listenErrorLine({ place: { host, port, isAdmin }, cause }: ListenError, nameOf: NameOf): string {
  const [hostName, portName] = isAdmin ? [nameOf('adminHost'), nameOf('adminPort')] : [nameOf('host'), nameOf('port')];
  const isUnix = socketPathOf(host) !== undefined;
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
  const code = thrownText(thrownMember(cause, 'code'));
  const place = isUnix ? withoutSecrets(host) : `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return `Cannot listen on "${place}": ${causes.get(code) ?? `the system reported ${code}`}`;
}

/** Writes the lines for an error to standard error, as text or JSON, and sets the exit code of the process. */
export function reportStartError(error: unknown, nameOf: NameOf, isJson = false): void {
  const { lines, exitCode } = startError(error, nameOf);
  if (isJson) for (const message of lines) logEntry({ level: 'error', message });
  else console.error(lines.join('\n'));
  process.exitCode = exitCode;
}
