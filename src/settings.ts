/**
 * What the service was told: by flag, then by environment variable, then by default (D32).
 *
 * A wrong value ends the start with one line that names setting, value and cause, instead of a service that listens
 * where nobody looks for it: `PORT=80a` is an error, while `PORT=` is a variable that is not set.
 */
import { parseArgs } from 'node:util';
import { SettingsError, UnfitValue, defaultOf, flagOf, variableOf, type Setting } from './settings/setting.ts';
import { TABLE } from './settings/table.ts';

export { SettingsError } from './settings/setting.ts';

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
  const named = tokensOf(argv).flatMap((token) => (token.kind === 'option' && ACTIONS.includes(token.name) ? [token.name as Action] : []));
  return named.includes('help') ? 'help' : named[0] ?? 'serve';
}

/**
 * Reads the arguments (without node and script) and the environment. Throws a `SettingsError` for the first unknown flag, missing
 * value, positional argument or value that its setting does not take.
 */
export function readSettings(argv: readonly string[], environment: Readonly<Record<string, string | undefined>>): Settings {
  const flags = flagsGiven(argv), given = new Map<string, Given>(), settings: Record<string, PropertyDescriptor> = {};
  for (const [key, setting] of ROWS) {
    const flag = flagOf(key, setting), variable = variableOf(key), value = flags.get(flag);
    if (value !== undefined) given.set(key, { name: `--${flag}`, text: value });
    else if (environment[variable]) given.set(key, { name: variable, text: environment[variable] });
    const one = given.get(key);
    settings[key] = one === undefined ? defaultOf(setting) : { enumerable: true, value: read(setting, one) };
  }
  return together(Object.defineProperties({}, settings) as Settings, given);
}

/** Where a value was given, and as what. */
interface Given {
  readonly name: string;
  readonly text: string;
}

function read(setting: Setting<unknown>, given: Given): unknown {
  try {
    return setting.kind.parse(given.text);
  } catch (error) {
    throw error instanceof UnfitValue ? refused(given, error.message) : error;
  }
}

/** Rules between two settings. */
function together(settings: Settings, given: ReadonlyMap<string, Given>): Settings {
  const { headTimeout, requestTimeout, licenseName } = settings, licenseUrl = given.get('licenseUrl'), head = given.get('headTimeout');
  if (licenseUrl !== undefined && licenseName === undefined) throw refused(licenseUrl, 'it has no name beside it; give --license-name too');
  if (headTimeout <= requestTimeout) return settings;
  if (head === undefined) return { ...settings, headTimeout: requestTimeout };
  throw refused(head, `it is longer than the time for the whole request, ${requestTimeout / 1000} s; raise --request-timeout too`);
}

const refused = ({ name, text }: Given, cause: string): SettingsError => new SettingsError(`Cannot use ${name} ${quoted(text)}: ${cause}`);

const OPTIONS = Object.fromEntries([
  ...ROWS.map(([key, setting]) => [flagOf(key, setting), { type: setting.kind.placeholder === '' ? 'boolean' : 'string' }] as const),
  ...ACTIONS.map((action) => [action, { type: 'boolean', ...(action === 'help' ? { short: 'h' } : {}) }] as const),
]) as NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

/** Not strict: the words for what is wrong are ours. */
const tokensOf = (argv: readonly string[]) =>
  (argv.length === 0 ? [] : parseArgs({ args: [...argv], options: OPTIONS, strict: false, allowPositionals: true, tokens: true }).tokens);

function flagsGiven(argv: readonly string[]): ReadonlyMap<string, string> {
  const repeatable = new Set(ROWS.filter(([, setting]) => setting.kind.repeatable).map(([key, setting]) => flagOf(key, setting)));
  const given = new Map<string, string>();
  for (const token of tokensOf(argv)) {
    if (token.kind === 'positional') {
      throw new SettingsError(`Cannot use the argument ${quoted(token.value)}: the service takes flags only; --help lists them`);
    }
    if (token.kind !== 'option' || ACTIONS.includes(token.name)) continue;
    if (!Object.hasOwn(OPTIONS, token.name)) {
      throw new SettingsError(`Cannot use the flag ${quoted(token.rawName)}: there is no such flag; --help lists them`);
    }
    const value = token.value ?? (OPTIONS[token.name]!.type === 'boolean' ? 'on' : undefined);
    if (value === undefined || (!token.inlineValue && value.startsWith('--'))) {
      throw new SettingsError(`Cannot use the flag "--${token.name}": it has no value; write --${token.name}=VALUE`);
    }
    const before = repeatable.has(token.name) ? given.get(token.name) : undefined;
    given.set(token.name, before === undefined ? value : `${before},${value}`);
  }
  return given;
}

/** On one line, whatever it contains, and never longer than a line should be. */
const quoted = (given: string): string => JSON.stringify(given.length > 200 ? `${given.slice(0, 200)}…` : given);
