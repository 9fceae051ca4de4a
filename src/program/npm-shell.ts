/**
 * Tells when the shell of `npm start` has ended. npm passes a SIGTERM to that shell alone, which ends and leaves the
 * service running. The script cannot replace the shell by `exec`, which Windows does not know. A shell that ends before
 * this module is loaded is not noticed.
 */

/** How often to look, in milliseconds. */
const INTERVAL = 200;

/** Asked as early as can be: once the shell has ended, another process is in its place. */
const shell = process.ppid;

/** Calls back once the process that started this one has ended, if `npm start` did. Keeps no process running. */
export function whenShellEnds(environment: Readonly<Record<string, string | undefined>>, ended: () => void): void {
  if (environment['npm_lifecycle_event'] !== 'start' || process.platform === 'win32') return;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    ended();
  }, INTERVAL).unref();
}
