/**
 * Why the service could not start, as plain lines and an exit code (D32).
 *
 * A port that is taken is not a stack trace and not exit code 0: a supervisor restarts on 1 (the machine is at fault, it may
 * pass) and gives up on 2 (the settings are at fault, it will not).
 */
import { isIP } from 'node:net';
import { PluginError } from './host/plugin-error.ts';
import { oneLine } from './log/escape-controls.ts';
import { thrownMember, thrownMessage, thrownText } from './log/thrown-value.ts';
import { type Settings, SettingsError } from './settings/settings.ts';

/** What goes to standard error, a line for each fault, and what the process ends with. */
export interface StartError {
  readonly lines: readonly string[];
  readonly exitCode: 1 | 2;
}

/** What the start was told: where to listen, and what to write to change a setting, its flag or its variable (see `nameGiven`). */
export interface StartSettings {
  readonly host: string;
  readonly port: number;
  readonly nameOf: (key: keyof Settings) => string;
}

const CAUSES: Readonly<Record<string, (nameOf: StartSettings['nameOf']) => string>> = {
  EADDRINUSE: (nameOf) => `another program listens there; stop it, or choose another ${nameOf('port')}`,
  EADDRNOTAVAIL: (nameOf) => `this machine does not have the address; choose another ${nameOf('host')}`,
  EACCES: (nameOf) => `this user may not listen there; choose a ${nameOf('port')} of 1024 or more`,
  EAFNOSUPPORT: (nameOf) => `this machine does not speak that address family; choose another ${nameOf('host')}`,
  EMFILE: () => 'too many files are open; raise the limit of open files',
};

/**
 * Rejects with a `SettingsError` when the host is neither an address nor a name that resolves; `name` is where it was given, `--host`
 * or `HOST`. Asks the resolver for names only.
 */
export async function assertResolvable(host: string, name: string): Promise<void> {
  if (isIP(host) !== 0) return;
  const { lookup } = await import('node:dns/promises');
  try {
    await lookup(host);
  } catch {
    throw new SettingsError(
      `Cannot use ${name} "${host}": it is no address and the name does not resolve; give one such as 127.0.0.1`,
    );
  }
}

/** Says why a start failed. No line holds a line break or anything else that a terminal acts on. */
export function startError(error: unknown, told: StartSettings): StartError {
  if (error instanceof AggregateError && error.errors.length > 0) {
    const each = error.errors.map((one) => startError(one, told));
    return {
      lines: each.flatMap(({ lines }) => lines),
      exitCode: each.every(({ exitCode }) => exitCode === 2) ? 2 : 1,
    };
  }
  if (error instanceof SettingsError) return { lines: error.lines.map(oneLine), exitCode: error.exitCode };
  // The service's own plugins fit: this one is from a file.
  if (error instanceof PluginError) {
    return { lines: [oneLine(`Cannot use ${told.nameOf('plugin')} "${error.plugin}": ${error.reason}`)], exitCode: 2 };
  }
  const syscall = thrownMember(error, 'syscall'),
    code = thrownText(thrownMember(error, 'code'));
  if (syscall === 'listen' || syscall === 'bind') {
    const place = told.host.includes(':') ? `[${told.host}]:${told.port}` : `${told.host}:${told.port}`;
    const cause = CAUSES[code]?.(told.nameOf) ?? `the system refused with ${code}`;
    return { lines: [oneLine(`Cannot listen on "${place}": ${cause}`)], exitCode: 1 };
  }
  return { lines: [oneLine(`Cannot start: ${thrownMessage(error)}`)], exitCode: 1 };
}
