/** Writes the output of `--help` and `--version`, and the tables of settings in `README.md`. */
import { readFileSync } from 'node:fs';
import { flagOf, HEADINGS, ROWS, type Setting, variableOf } from './table.ts';

/** Returns the output of `--help`. It lists each setting with its unit, default and variable (D32). */
export const helpText = (): string => `Usage: todo-item-service [flags]

Each setting comes from its flag, else from its environment variable, else from the file of --config, else from
its default. Each variable also has a name with the prefix TODO_, such as TODO_PORT, which wins. An empty variable is
not set. Each invalid value is reported in one line, and the service then exits with code 2.
${ROWS.map(([key, setting]) => helpOf(key, setting)).join('')}
Instead of serving:
  --check
      Checks the settings, the plugins and the store without serving; prints "ok", or the errors that a start would print
  --copy-store FROM TO
      Copies all items of a store to an empty store; each store is a file or a URL as for --store, or @FILE, where the
      file contains the URL as for --store-file
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

const helpOf = (key: string, setting: Setting<unknown>): string => `${HEADINGS[key] ? `\n${HEADINGS[key]}:\n` : ''}\
  ${flagText(key, setting)}
      ${setting.help}
      ${setting.kind.unit} | default: ${defaultText(setting)} | variable: ${variableOf(key)}
`;

/** Returns the settings as Markdown, with a table for each group. */
export function settingsTable(): string {
  const lines: string[] = [];
  for (const [key, setting] of ROWS) {
    if (HEADINGS[key]) {
      lines.push(...(lines.length > 0 ? [''] : []), `## ${HEADINGS[key]}`, '');
      lines.push('| Flag | Variable | Default | Unit | Meaning |', '| --- | --- | --- | --- | --- |');
    }
    const names = [flagText(key, setting), variableOf(key)].map((name) => `\`${name}\``);
    const cells = [...names, defaultText(setting), setting.kind.unit, setting.help];
    lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  }
  return lines.join('\n');
}

const flagText = (key: string, { kind }: Setting<unknown>): string => `${flagOf(key)} ${kind.placeholder}`;
const defaultText = ({ defaultText, kind: { show = String }, default: value }: Setting<unknown>): string =>
  defaultText ?? show(value);

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
