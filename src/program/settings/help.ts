/** Writes what `--help` and `--version` print, and the settings as the Markdown tables of `README.md`. */
import { readFileSync } from 'node:fs';
import { flagOf, HEADINGS, ROWS, type Setting, variableOf } from './table.ts';

/** The text of `--help`: each setting with its unit, default and variable (D32). */
export const helpText = (): string => `Usage: todo-item-service [flags]

Each setting comes from its flag, else from its environment variable, else from the file of --config, else it
has its default. Each variable is also read with TODO_ in front, as TODO_PORT, which wins; an empty one is not set.
Wrong values are reported, a line each, and end the start with exit code 2.
${ROWS.map(([key, setting]) => helpOf(key, setting)).join('')}
Instead of serving:
  --check
      Reads settings and plugins, and looks whether the store can be there: "ok", or what is wrong, as the start has it
  --copy-store FROM TO
      Copies all items of a store to another that has none; each is a file or a URL, as of --store, or @FILE, a file
      that has the URL, as of --store-file
  explain [FILE] METHOD PATH
      Tells what every station does with one request; explain --help has more
  --health
      Asks the running service at --host and --port whether it can serve; exit code 0 if so, else 1
  --help, -h
      Prints this text
  --print-config
      Prints every setting with its value and where that is from, without secrets
  --version
      Prints the version of this program and the commit it is built from`;

const helpOf = (key: string, setting: Setting<unknown>): string => `${HEADINGS[key] ? `\n${HEADINGS[key]}:\n` : ''}\
  ${flagText(key, setting)}
      ${setting.help}
      ${setting.kind.unit} | default: ${defaultText(setting)} | variable: ${variableOf(key)}
`;

/** The settings as Markdown, a table for each group. */
export function settingsTable(): string {
  const lines: string[] = [];
  for (const [key, setting] of ROWS) {
    if (HEADINGS[key]) {
      lines.push(...(lines.length > 0 ? [''] : []), `**${HEADINGS[key]}**`, '');
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

/** A name that the build defines: the version and the commit that the program is built from. */
declare const BUILT_VERSION: string | undefined;

/** Such as `1.0.0 (commit 0123456789ab)`, or `1.0.0 (source)` where it runs from its sources. */
export function version(): string {
  if (typeof BUILT_VERSION !== 'undefined') return BUILT_VERSION;
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  return `${version} (source)`;
}
