/** Formats the settings: as the text of `--help`, and as the Markdown table of `README.md`. */
import { flagOf, type Setting, variableOf } from './setting.ts';
import { HEADINGS, TABLE } from './table.ts';

const ROWS = Object.entries(TABLE) as readonly (readonly [string, Setting<unknown>])[];

/** The text of `--help`: each setting with its unit, default and variable (D32). */
export function helpText(): string {
  const lines = [
    'Usage: todo-item-service [flags]',
    '',
    'Each setting comes from its flag, else from its environment variable, else it has its default.',
    'An empty variable is not set. Wrong values are reported, a line each, and end the start with exit code 2.',
  ];
  for (const [key, setting] of ROWS) {
    if (HEADINGS[key]) lines.push('', `${HEADINGS[key]}:`);
    lines.push(
      `  --${flagOf(key, setting)} ${setting.kind.placeholder}`.trimEnd(),
      `      ${setting.help}`,
      `      ${setting.kind.unit} | default: ${defaultText(setting)} | variable: ${variableOf(key)}`,
    );
  }
  lines.push(
    '',
    'Instead of serving:',
    '  --health',
    '      Asks the running service at --host and --port whether it can serve; exit code 0 if so, else 1',
    '  --help, -h',
    '      Prints this text',
    '  --version',
    '      Prints the version of this program',
  );
  return lines.join('\n');
}

/** The settings as Markdown, a table for each group. */
export function settingsTable(): string {
  const lines: string[] = [];
  for (const [key, setting] of ROWS) {
    if (HEADINGS[key]) {
      lines.push(...(lines.length > 0 ? [''] : []), `**${HEADINGS[key]}**`, '');
      lines.push('| Flag | Variable | Default | Unit | Meaning |', '| --- | --- | --- | --- | --- |');
    }
    const flag = `--${flagOf(key, setting)} ${setting.kind.placeholder}`.trimEnd();
    lines.push(
      `| ${cells(`\`${flag}\``, `\`${variableOf(key)}\``, defaultText(setting), setting.kind.unit, setting.help)} |`,
    );
  }
  return lines.join('\n');
}

const cells = (...texts: readonly string[]): string => texts.map((text) => text.replaceAll('|', '\\|')).join(' | ');

const defaultText = (setting: Setting<unknown>): string => setting.defaultText ?? setting.kind.show(setting.default);
