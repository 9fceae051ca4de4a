/**
 * Why the service could not start, as one line and an exit code (D32).
 *
 * A port that is taken is not a stack trace and not exit code 0: a supervisor restarts on 1 (the machine is at fault, it may
 * pass) and gives up on 2 (the settings are at fault, it will not).
 */
import { isIP } from 'node:net';
import { PluginError } from './host/plugin-error.ts';
import { SettingsError } from './settings.ts';

/** What goes to standard error and what the process ends with. */
export interface StartError {
  readonly line: string;
  readonly exitCode: 1 | 2;
}

const CAUSES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there; stop it, or choose another --port',
  EADDRNOTAVAIL: 'this machine does not have the address; choose another --host',
  EACCES: 'this user may not listen there; choose a --port of 1024 or more',
  EAFNOSUPPORT: 'this machine does not speak that address family; choose another --host',
  EMFILE: 'too many files are open; raise the limit of open files',
};

/** Rejects with a `SettingsError` when the host is neither an address nor a name that resolves. Asks the resolver for names only. */
export async function assertResolvable(host: string): Promise<void> {
  if (isIP(host) !== 0) return;
  const { lookup } = await import('node:dns/promises');
  try {
    await lookup(host);
  } catch {
    throw new SettingsError(`Cannot use --host "${host}": it is no address and the name does not resolve; give one such as 127.0.0.1`);
  }
}

/** Says why a start failed. `at` is where the service wanted to listen. */
export function startError(error: unknown, at: { readonly host: string; readonly port: number }): StartError {
  if (error instanceof SettingsError) return { line: error.message, exitCode: error.exitCode };
  // The service's own plugins fit: this one is from a file.
  if (error instanceof PluginError) return { line: `Cannot use --plugin "${error.plugin}": ${error.reason}`, exitCode: 2 };
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const place = at.host.includes(':') ? `[${at.host}]:${at.port}` : `${at.host}:${at.port}`;
  if (syscall === 'listen' || syscall === 'bind') {
    return { line: `Cannot listen on "${place}": ${CAUSES[code] ?? `the system refused with ${code}`}`, exitCode: 1 };
  }
  const cause = error instanceof Error ? error.message : String(error);
  return { line: `Cannot start: ${cause}`.replace(/\s*\n\s*/g, ' '), exitCode: 1 };
}
