/**
 * Reads the settings: each from its flag, else from its environment variable, else from its default (D32).
 *
 * Every fault ends the start with a line of its own. Nothing is corrected: `PORT=80a` is an error.
 */
import { hint } from '../../core/options/assert-options.ts';
import { memoryFor } from '../../core/wire/connection/limits.ts';
import { concealed, isInRedis } from '../store-place.ts';
import { store } from './checks.ts';
import { flagOf, InvalidValue, type Setting, variableOf } from './kinds.ts';
import { TABLE } from './table.ts';

/** Every setting: sizes in bytes, times in milliseconds. */
export type Settings = {
  readonly [Key in keyof typeof TABLE]: (typeof TABLE)[Key] extends Setting<infer Value> ? Value : never;
};

/** What the command line asks for. */
export type Action = 'serve' | 'help' | 'version' | 'health' | 'copy-store';

type Environment = Readonly<Record<string, string | undefined>>;

/** The flag or variable that gives a value, and the text of the value. */
type Given = { readonly name: string; readonly text: string };
type Values = ReadonlyMap<keyof Settings, Given>;

/** Invalid arguments or variables: a line for each fault, exit code 2 (D32). */
export class SettingsError extends Error {
  readonly exitCode = 2;
  /** Each names the setting, quotes the value and gives the cause. */
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'SettingsError';
    this.lines = lines;
  }
}

const ROWS = Object.entries(TABLE) as readonly (readonly [keyof Settings, Setting<unknown>])[];
const ACTIONS: readonly Action[] = ['help', 'version', 'health', 'copy-store'];
/** `bare`: is on when it is present. `action`: does something other than serving. */
const FLAGS: ReadonlyMap<string, 'value' | 'bare' | 'action'> = new Map([
  ...ROWS.map(([key, setting]) => [flagOf(key, setting), setting.kind.placeholder === '' ? 'bare' : 'value'] as const),
  ...ACTIONS.map((action) => [action, 'action'] as const),
]);

/** The settings of a service without flags and variables. */
export const defaults = (): Settings =>
  Object.fromEntries(ROWS.map(([key, setting]) => [key, setting.default])) as Settings;

/** The action in the arguments (without node and script): `help` wherever it stands, else the first. Never throws. */
export function actionOf(argv: readonly string[]): Action {
  const { actions } = readCommandLine(argv);
  return actions.includes('help') ? 'help' : (actions[0] ?? 'serve');
}

/**
 * Reads the arguments (without node and script) and the environment. Throws a `SettingsError` with a line for every
 * unknown flag, missing value, repeated flag, positional argument, invalid value and invalid combination, in the order
 * of D63.
 */
export function readSettings(argv: readonly string[], environment: Environment): Settings {
  const { given, faults } = valuesGiven(argv, environment);
  const values: Record<string, unknown> = defaults();
  const invalid = new Set<keyof Settings>();
  for (const [key, { name, text }] of given) {
    try {
      values[key] = TABLE[key].kind.parse(text);
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      invalid.add(key);
      const parts = error.parts.length > 0 ? error.parts : [{ text, cause: error.message }];
      faults.push(...parts.map((part) => faultLine({ name, text: part.text }, part.cause)));
    }
  }
  const settings = values as Settings;
  faults.push(...combinationFaults(settings, given, invalid));
  if (faults.length > 0) throw new SettingsError(...faults);
  return { ...settings, headTimeout: Math.min(settings.headTimeout, settings.requestTimeout) };
}

/** What to write to change a setting: its variable where that gives the value, else its flag. Never throws. */
export function nameGiven(key: keyof Settings, argv: readonly string[], environment: Environment): string {
  return valuesGiven(argv, environment).given.get(key)?.name ?? `--${flagOf(key, TABLE[key])}`;
}

/** A line for each broken rule between two settings; a rule holds only where both are valid (D63). */
function* combinationFaults(settings: Settings, given: Values, invalid: ReadonlySet<keyof Settings>): Iterable<string> {
  const { headTimeout, requestTimeout, maxBody, maxBodyMemory } = settings;
  const areValid = (...keys: readonly (keyof Settings)[]): boolean => !keys.some((key) => invalid.has(key));
  /** The name of the other setting: a flag beside a flag, a variable beside a variable, unless it is given. */
  const other = (key: keyof Settings, { name }: Given): string =>
    given.get(key)?.name ?? (name.startsWith('--') ? `--${flagOf(key, TABLE[key])}` : variableOf(key));

  const licenseUrl = given.get('licenseUrl');
  if (licenseUrl !== undefined && areValid('licenseUrl') && !given.has('licenseName')) {
    yield faultLine(licenseUrl, `it has no name beside it; give ${other('licenseName', licenseUrl)} too`);
  }
  const memory = given.get('maxBodyMemory');
  const body = given.get('maxBody');
  if (memory !== undefined && areValid('maxBody', 'maxBodyMemory') && maxBodyMemory! < memoryFor(maxBody)) {
    const needs = `a body of ${maxBody} bytes needs ${memoryFor(maxBody)} bytes of memory, not ${maxBodyMemory}`;
    const change = body === undefined ? other('maxBody', memory) : other('maxBodyMemory', body);
    yield faultLine(body ?? memory, `${needs}; change ${change} too`);
  }
  const bytes = given.get('maxStoreBytes');
  if (bytes !== undefined && areValid('store', 'maxStoreBytes') && isInRedis(settings.store))
    yield faultLine(bytes, 'Redis limits its own memory; set maxmemory there, and leave this out');
  const workers = given.get('workers');
  if (workers !== undefined && areValid('workers', 'store', 'metrics') && settings.workers > 1) {
    const remedy = `give ${other('store', workers)} redis://…, or 1`;
    if (settings.store === 'memory') yield faultLine(workers, `each process would have items of its own; ${remedy}`);
    else if (!isInRedis(settings.store)) yield faultLine(workers, `a file is written by one process alone; ${remedy}`);
    if (settings.metrics)
      yield faultLine(
        workers,
        `${other('metrics', workers)} tells the figures of one process; leave out one of the two`,
      );
    if (settings.trace !== 'off')
      yield faultLine(
        workers,
        `${other('trace', workers)} shows the requests of one process; leave out one of the two`,
      );
  }
  const head = given.get('headTimeout');
  if (head !== undefined && areValid('headTimeout', 'requestTimeout') && headTimeout > requestTimeout) {
    const longer = `it is longer than the time for the whole request, ${requestTimeout / 1000} s`;
    yield faultLine(head, `${longer}; raise ${other('requestTimeout', head)} too`);
  }
}

/** The values that are given, in the order of the table, and a line for each fault of the command line. */
function valuesGiven(argv: readonly string[], environment: Environment): { given: Values; faults: string[] } {
  const { texts, faults } = readCommandLine(argv);
  const given = new Map<keyof Settings, Given>();
  for (const [key, setting] of ROWS) {
    const flag = flagOf(key, setting);
    const name = `--${flag}`;
    const variable = variableOf(key);
    const [first, ...further] = texts.get(flag) ?? [];
    if (first === undefined) {
      if (environment[variable]) given.set(key, { name: variable, text: environment[variable] });
    } else if (setting.kind.repeatable) given.set(key, { name, text: [first, ...further].join(',') });
    else {
      given.set(key, { name, text: first });
      // A flag without a value may be repeated, as long as it does not contradict itself.
      const again = setting.kind.placeholder === '' ? further.find((text) => text !== first) : further[0];
      const { conceal = (text: string) => text } = setting.kind;
      if (again !== undefined)
        faults.push(
          faultLine({ name, text: conceal(again) }, `it is ${quoted(conceal(first))} already; give the flag once`),
        );
    }
  }
  return { given, faults };
}

/** What a command line has: the texts of each flag, the actions, and a line for each fault, all in their order. */
interface CommandLine {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly actions: readonly Action[];
  readonly faults: string[];
}

/**
 * Splits the arguments. `-h` is `--help`, and `--` ends the flags. A value may begin with one dash, as `-1` does; one
 * that begins with two needs the form `--flag=VALUE`.
 */
function readCommandLine(argv: readonly string[]): CommandLine {
  const texts = new Map<string, string[]>();
  const actions: Action[] = [];
  const faults: string[] = [];
  const add = (name: string, text: string): unknown => texts.set(name, [...(texts.get(name) ?? []), text]);
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  for (let at = 0; at < end; at++) {
    const given = argv[at]!;
    const next = at + 1 < end ? argv[at + 1] : undefined;
    if (!given.startsWith('-') || given === '-') {
      faults.push(argumentFault(given));
      continue;
    }
    const [, written = '', inline] = /^([^=]+)(?:=([^]*))?$/.exec(given)!;
    // A name with one dash keeps it, so that it is that of no setting.
    const name = written === '-h' ? 'help' : written.replace(/^--/, '');
    const kind = FLAGS.get(name);
    if (kind === 'action') {
      // Behind a flag that lacks its value it is probably meant as that value.
      if (FLAGS.get(argv[at - 1]?.slice(2) ?? '') !== 'value') actions.push(name as Action);
    } else if (kind === 'bare') add(name, inline ?? 'on');
    else if (kind === 'value' && inline !== undefined) add(name, inline);
    else if (kind === 'value' && next !== undefined && !next.startsWith('--')) {
      add(name, next);
      at++;
    } else if (kind === 'value') faults.push(`Cannot use the flag "--${name}": it has no value; write --${name}=VALUE`);
    else {
      const meant = hint(written.replace(/^--?/, ''), FLAGS.keys(), '--');
      faults.push(`Cannot use the flag ${quoted(written)}: there is no such flag${meant}; --help lists them`);
      // The next argument is probably its value, so it is not reported.
      if (inline === undefined && next !== undefined && !/^-\D/.test(next)) at++;
    }
  }
  faults.push(...argv.slice(end + 1).map(argumentFault));
  return { texts, actions, faults };
}

const argumentFault = (text: string): string =>
  `Cannot use the argument ${quoted(text)}: the service takes flags only; --help lists them`;
const faultLine = ({ name, text }: Given, cause: string): string => `Cannot use ${name} ${quoted(text)}: ${cause}`;
/** On one line whatever the text contains, cut after 200 characters. */
const quoted = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);

const COPY = '--copy-store';

/**
 * Reads the two stores of `--copy-store FROM TO`, as `--store` has them, and the settings beside them. Throws a
 * `SettingsError` as `readSettings` does, and for places that cannot be copied.
 */
export function readCopyPlaces(
  argv: readonly string[],
  environment: Environment,
): { readonly from: string; readonly to: string; readonly settings: Settings } {
  const at = argv.indexOf(COPY);
  const [from, to] = [argv[at + 1], argv[at + 2]];
  if (from === undefined || to === undefined || from.startsWith('--') || to.startsWith('--'))
    throw new SettingsError(
      `Cannot use ${COPY}: it needs two stores; give ${COPY} FROM TO, such as todo.db redis://host`,
    );
  const settings = readSettings([...argv.slice(0, at), ...argv.slice(at + 3)], { ...environment, STORE: undefined });
  const places = { from: copyPlace(from), to: copyPlace(to) };
  if (places.from === places.to) throw copyFault(to, 'it is the same store; name another');
  return { ...places, settings };
}

function copyPlace(text: string): string {
  if (text === 'memory') throw copyFault(text, 'it is in no other process; give a file or redis://…');
  try {
    return store(text);
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    throw copyFault(text, error.message);
  }
}

const copyFault = (text: string, cause: string): SettingsError =>
  new SettingsError(`Cannot use ${COPY} ${JSON.stringify(concealed(text))}: ${cause}`);
