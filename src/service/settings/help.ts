/** Writes the output of `--help`, which `guide/operate/settings.md` has too, and of `--version`. */
import { readFileSync } from 'node:fs';
import { flagOf, HEADINGS, ROWS, type Setting, variableOf } from './table.ts';

export const helpText = (): string => `Usage: todo-item-service [flags]

Each setting comes from its flag, else from its environment variable, else from its default. PORT and HOST are read too,
if TODO_PORT and TODO_HOST are not set. An empty variable is not set. Each invalid value is reported in one line, and the
service then exits with code 2.
${ROWS.map(([key, setting]) => helpOf(key, setting)).join('')}
Instead of serving:
  --check
      Checks the settings, the plugins and the store without serving; prints "ok", or the errors that a start would print
  --copy-store FROM TO
      Copies all items of a store to an empty store; each is a file, a URL or @FILE, as for --store
  explain [FILE] METHOD PATH
      Shows how each part of the service treats one request; explain --help has more
  --health
      Asks the running service at --host and --port whether it can serve; exits with code 0 if it can, else with 1
  --help, -h
      Prints this text
  --print-config
      Prints every setting with its value and the source of the value, without secrets
  --version
      Prints the version of this program and the commit that it was built from`;

function helpOf(key: string, { kind, default: value, defaultText, help }: Setting<unknown>): string {
  const shown = defaultText ?? (kind.show ?? String)(value);
  return `${HEADINGS[key] ? `\n${HEADINGS[key]}:\n` : ''}  ${flagOf(key)} ${kind.placeholder}
      ${help}
      ${kind.unit} | default: ${shown} | variable: ${variableOf(key)}
`;
}

/** The version and the commit of the program. Only the build defines this name. */
declare const BUILT_VERSION: string | undefined;

/** Returns the version, such as `1.0.0 (commit 0123456789ab)`, or `1.0.0 (source)` without a build. */
export function version(): string {
  if (typeof BUILT_VERSION !== 'undefined') return BUILT_VERSION;
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  return `${version} (source)`;
}
