/**
 * What the service was told: by flag, then by environment variable, then by default (D32).
 *
 * Wrong values end the start, each with one line that names setting, value and cause, instead of a service that listens
 * where nobody looks for it: `PORT=80a` is an error, while `PORT=` is a variable that is not set.
 */

import { memoryFor } from '../http/connection/limits.ts';
import { type FlagKind, readCommandLine, type Token } from './command-line.ts';
import { hint } from './hint.ts';
import { defaultOf, flagOf, type Setting, SettingsError, UnfitValue, variableOf } from './setting.ts';
import { TABLE } from './table.ts';

export { SettingsError } from './setting.ts';

type ValueOf<Row> = Row extends Setting<infer Value> ? Value : never;

/** Every setting, ready to use: sizes in bytes, times in milliseconds, no limit as documented in the row's help. */
export type Settings = { readonly [Key in keyof typeof TABLE]: ValueOf<(typeof TABLE)[Key]> };

/** What the command line asks for; `serve` unless it names something else. */
export type Action = 'serve' | 'help' | 'version' | 'health';

const ROWS = Object.entries(TABLE) as readonly (readonly [keyof Settings, Setting<unknown>])[];
const ACTIONS: readonly string[] = ['help', 'version', 'health'] satisfies readonly Action[];

/** The settings of a service that was told nothing; made anew by every call. */
export const defaults = (): Settings =>
  Object.defineProperties({}, Object.fromEntries(ROWS.map(([key, setting]) => [key, defaultOf(setting)]))) as Settings;

/** Which action the arguments (without node and script) name: `--help` wherever it stands, else the first one. Never throws. */
export function actionOf(argv: readonly string[]): Action {
  // Behind a flag that wants a value an action is more likely to be the value.
  const named = tokensOf(argv).flatMap((token, at, tokens) =>
    token.kind === 'action' && tokens[at - 1]?.kind !== 'without value' ? [token.name as Action] : [],
  );
  return named.includes('help') ? 'help' : (named[0] ?? 'serve');
}

/**
 * Reads the arguments (without node and script) and the environment. Throws a `SettingsError` with a line for every unknown flag,
 * missing value, repeated flag, positional argument and value that its setting does not take.
 */
export function readSettings(argv: readonly string[], environment: Environment): Settings {
  const { given, faults } = valuesGiven(argv, environment),
    settings: Record<string, PropertyDescriptor> = {};
  const wrong = new Set<string>();
  for (const [key, setting] of ROWS) {
    const one = given.get(key);
    settings[key] = defaultOf(setting);
    if (one === undefined) continue;
    try {
      settings[key] = { enumerable: true, value: setting.kind.parse(one.text) };
    } catch (error) {
      if (!(error instanceof UnfitValue)) throw error;
      wrong.add(key);
      const parts = error.parts.length > 0 ? error.parts : [{ text: one.text, cause: error.message }];
      faults.push(...parts.map(({ text, cause }) => refused({ name: one.name, text }, cause)));
    }
  }
  const read = combined(Object.defineProperties({}, settings) as Settings, given, wrong, faults);
  if (faults.length > 0) throw new SettingsError(...faults);
  return read;
}

/** What to write to change a setting: the variable where its value is from there, else the flag. Never throws. */
export function nameGiven(key: keyof Settings, argv: readonly string[], environment: Environment): string {
  return valuesGiven(argv, environment).given.get(key)?.name ?? `--${flagOf(key, TABLE[key])}`;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a value was given, and as what. */
interface Given {
  readonly name: string;
  readonly text: string;
}

/** Rules between two settings, where both are right by themselves. Adds to the faults. */
function combined(
  settings: Settings,
  given: ReadonlyMap<string, Given>,
  wrong: ReadonlySet<string>,
  faults: string[],
): Settings {
  const { headTimeout, requestTimeout } = settings,
    licenseUrl = given.get('licenseUrl'),
    head = given.get('headTimeout');
  /** The other setting, in the manner of the one that is refused. */
  const other = (key: keyof Settings, { name }: Given): string =>
    given.get(key)?.name ?? (name.startsWith('--') ? `--${flagOf(key, TABLE[key])}` : variableOf(key));
  if (licenseUrl !== undefined && !wrong.has('licenseUrl') && !given.has('licenseName')) {
    faults.push(refused(licenseUrl, `it has no name beside it; give ${other('licenseName', licenseUrl)} too`));
  }
  const { maxBody, maxBodyMemory } = settings,
    memory = given.get('maxBodyMemory'),
    body = given.get('maxBody');
  const areRight = !wrong.has('maxBody') && !wrong.has('maxBodyMemory');
  if (memory !== undefined && areRight && maxBodyMemory! < memoryFor(maxBody)) {
    const [blamed, key]: [Given, keyof Settings] = body === undefined ? [memory, 'maxBody'] : [body, 'maxBodyMemory'];
    const needs = `a body of ${maxBody} bytes needs ${memoryFor(maxBody)} bytes of memory, not ${maxBodyMemory}`;
    faults.push(refused(blamed, `${needs}; change ${other(key, blamed)} too`));
  }
  if (headTimeout <= requestTimeout || wrong.has('headTimeout') || wrong.has('requestTimeout')) return settings;
  if (head === undefined) return { ...settings, headTimeout: requestTimeout };
  const longer = `it is longer than the time for the whole request, ${requestTimeout / 1000} s`;
  faults.push(refused(head, `${longer}; raise ${other('requestTimeout', head)} too`));
  return settings;
}

const refused = ({ name, text }: Given, cause: string): string => `Cannot use ${name} ${quoted(text)}: ${cause}`;

const FLAGS: ReadonlyMap<string, FlagKind> = new Map<string, FlagKind>([
  ...ROWS.map(([key, setting]) => [flagOf(key, setting), setting.kind.placeholder === '' ? 'bare' : 'value'] as const),
  ...ACTIONS.map((action) => [action, 'action'] as const),
]);

const tokensOf = (argv: readonly string[]): readonly Token[] => readCommandLine(argv, FLAGS);

/** The texts of the settings, by key, and a line for everything else on the command line. */
function valuesGiven(
  argv: readonly string[],
  environment: Environment,
): { given: ReadonlyMap<string, Given>; faults: string[] } {
  const texts = new Map<string, string[]>(),
    faults: string[] = [],
    given = new Map<string, Given>();
  for (const token of tokensOf(argv)) {
    if (token.kind === 'flag') texts.set(token.name, [...(texts.get(token.name) ?? []), token.text]);
    else if (token.kind !== 'action') faults.push(faultOf(token));
  }
  for (const [key, setting] of ROWS) {
    const flag = flagOf(key, setting),
      variable = variableOf(key),
      [first, ...further] = texts.get(flag) ?? [];
    if (first === undefined) {
      if (environment[variable]) given.set(key, { name: variable, text: environment[variable] });
    } else if (setting.kind.repeatable) given.set(key, { name: `--${flag}`, text: [first, ...further].join(',') });
    else {
      const name = `--${flag}`;
      given.set(key, { name, text: first });
      // A flag that needs no value says the same thing twice.
      const again = setting.kind.placeholder === '' ? further.find((text) => text !== first) : further[0];
      if (again !== undefined)
        faults.push(refused({ name, text: again }, `it is ${quoted(first)} already; give the flag once`));
    }
  }
  return { given, faults };
}

function faultOf(token: Exclude<Token, { readonly kind: 'flag' | 'action' }>): string {
  switch (token.kind) {
    case 'argument':
      return `Cannot use the argument ${quoted(token.text)}: the service takes flags only; --help lists them`;
    case 'without value':
      return `Cannot use the flag "--${token.name}": it has no value; write --${token.name}=VALUE`;
    case 'unknown flag': {
      const meant = hint(token.written.replace(/^--?/, ''), FLAGS.keys(), '--');
      return `Cannot use the flag ${quoted(token.written)}: there is no such flag${meant}; --help lists them`;
    }
  }
}

/** On one line, whatever it contains, and never longer than a line should be. */
const quoted = (given: string): string => JSON.stringify(given.length > 200 ? `${given.slice(0, 200)}…` : given);
