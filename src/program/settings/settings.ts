/**
 * Reads the settings: each from its flag, else from its environment variable, else from its default (D32).
 *
 * Every fault ends the start with a line of its own. Nothing is corrected: `PORT=80a` is an error.
 */
import { hint } from '../../core/options/assert-options.ts';
import { memoryFor } from '../../core/wire/connection/limits.ts';
import { concealed, isInRedis, storePlace } from '../store-place.ts';
import type { InvalidValue } from './kinds.ts';
import { flagOf, ROWS, type Setting, TABLE, variableOf } from './table.ts';

/** Every setting: sizes in bytes, times in milliseconds. */
export type Settings = {
  readonly [Key in keyof typeof TABLE]: (typeof TABLE)[Key] extends Setting<infer Value> ? Value : never;
};
type Key = keyof Settings;

const ACTIONS = ['help', 'version', 'health', 'copy-store'] as const;

/** What the command line asks for. */
export type Action = 'serve' | (typeof ACTIONS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/** The flag or variable that gives a value, and the text of the value. */
type Given = { readonly name: string; readonly text: string };

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

/** What each flag stands for. */
const FLAGS = new Map<string, Setting<unknown> | Action>([
  ...ROWS.map(([key, setting]) => [flagOf(key), setting] as const),
  ...ACTIONS.map((action) => [`--${action}`, action] as const),
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
  const invalid = new Set<Key>();
  for (const [key, { name, text }] of given) {
    const { kind } = TABLE[key] as Setting<unknown>;
    try {
      values[key] = kind.parse(text);
    } catch (error) {
      invalid.add(key);
      const { message, parts = [{ text: kind.conceal?.(text) ?? text, cause: message }] } = error as InvalidValue;
      faults.push(...parts.map((part) => faultLine({ name, text: part.text }, part.cause)));
    }
  }
  const settings = values as Settings;
  faults.push(...combinationFaults(settings, given, invalid));
  if (faults.length > 0) throw new SettingsError(...faults);
  return { ...settings, headTimeout: Math.min(settings.headTimeout, settings.requestTimeout) };
}

/** What to write to change a setting: its variable where that gives the value, else its flag. Never throws. */
export const nameGiven = (key: Key, argv: readonly string[], environment: Environment): string =>
  valuesGiven(argv, environment).given.get(key)?.name ?? flagOf(key);

/** A line for each broken rule between two settings; a rule holds only where both are valid (D63). */
function combinationFaults(settings: Settings, given: ReadonlyMap<Key, Given>, invalid: ReadonlySet<Key>): string[] {
  const { headTimeout, requestTimeout, maxBody, maxBodyMemory = Infinity, store, workers, metrics, trace } = settings;
  const faults: string[] = [];
  /** The first is blamed, if it is given. OTHER in the cause is the second, by flag or variable as it is given. */
  const refuseIf = (isBroken: boolean, blamed: Key, other: Key, cause: string): void => {
    const value = given.get(blamed);
    if (!isBroken || value === undefined || invalid.has(blamed) || invalid.has(other)) return;
    const otherName = given.get(other)?.name ?? (value.name.startsWith('--') ? flagOf : variableOf)(other);
    faults.push(faultLine(value, cause.replace('OTHER', otherName)));
  };
  refuseIf(!given.has('licenseName'), 'licenseUrl', 'licenseName', 'it has no name beside it; give OTHER too');
  const needed = memoryFor(maxBody);
  const needs = `a body of ${maxBody} bytes needs ${needed} bytes of memory, not ${maxBodyMemory}; change OTHER too`;
  if (given.has('maxBody')) refuseIf(maxBodyMemory < needed, 'maxBody', 'maxBodyMemory', needs);
  else refuseIf(maxBodyMemory < needed, 'maxBodyMemory', 'maxBody', needs);
  const isShared = isInRedis(store);
  const memory = 'Redis limits its own memory; set maxmemory there, and leave this out';
  refuseIf(isShared, 'maxStoreBytes', 'store', memory);
  const owner =
    store === 'memory' ? 'each process would have items of its own' : 'a file is written by one process alone';
  const areSeveral = workers > 1;
  const one = 'of one process; leave out one of the two';
  refuseIf(areSeveral && !isShared, 'workers', 'store', `${owner}; give OTHER redis://…, or 1`);
  refuseIf(areSeveral && metrics, 'workers', 'metrics', `OTHER tells the figures ${one}`);
  refuseIf(areSeveral && trace !== 'off', 'workers', 'trace', `OTHER shows the requests ${one}`);
  const longer = `it is longer than the time for the whole request, ${requestTimeout / 1000} s; raise OTHER too`;
  refuseIf(headTimeout > requestTimeout, 'headTimeout', 'requestTimeout', longer);
  return faults;
}

/** The values that are given, in the order of the table, and a line for each fault of the command line. */
function valuesGiven(argv: readonly string[], environment: Environment) {
  const { texts, faults } = readCommandLine(argv);
  const given = new Map<Key, Given>();
  for (const [key, { kind }] of ROWS) {
    const name = flagOf(key);
    const variable = variableOf(key);
    const [first, ...further] = texts.get(name) ?? [];
    if (first !== undefined) given.set(key, { name, text: kind.repeatable ? [first, ...further].join() : first });
    else if (environment[variable]) given.set(key, { name: variable, text: environment[variable] });
    // A flag without a value may be repeated, as long as it does not contradict itself.
    const again = kind.repeatable ? undefined : further.find((text) => kind.placeholder !== '' || text !== first);
    if (again === undefined) continue;
    const { conceal = String } = kind;
    const cause = `it is ${quoted(conceal(first!))} already; give the flag once`;
    faults.push(faultLine({ name, text: conceal(again) }, cause));
  }
  return { given, faults };
}

/**
 * Splits the arguments: the texts of each flag, the actions, and a line for each fault. `-h` is `--help`, and `--` ends
 * the flags. A value may begin with one dash, as `-1` does; one that begins with two needs the form `--flag=VALUE`.
 */
function readCommandLine(argv: readonly string[]) {
  const texts = new Map<string, string[]>();
  const actions: Action[] = [];
  const faults: string[] = [];
  const add = (flag: string, text: string): unknown => texts.set(flag, [...(texts.get(flag) ?? []), text]);
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  for (let at = 0; at < end; at++) {
    const given = argv[at]!;
    const next = at + 1 < end ? argv[at + 1] : undefined;
    if (!given.startsWith('-') || given === '-') {
      faults.push(argumentFault(given));
      continue;
    }
    const [, flag = '', inline] = /^([^=]+)(?:=([^]*))?$/.exec(given)!;
    const meant = FLAGS.get(flag === '-h' ? '--help' : flag);
    if (typeof meant === 'string') {
      // Behind a flag that lacks its value it is probably meant as that value.
      if (!takesValue(FLAGS.get(argv[at - 1] ?? ''))) actions.push(meant);
    } else if (meant !== undefined && (inline !== undefined || !takesValue(meant))) add(flag, inline ?? 'on');
    else if (meant !== undefined && next !== undefined && !next.startsWith('--')) {
      add(flag, next);
      at++;
    } else if (meant !== undefined) faults.push(`Cannot use the flag "${flag}": it has no value; write ${flag}=VALUE`);
    else {
      const names = [...FLAGS.keys()].map((name) => name.slice(2));
      const similar = hint(flag.replace(/^--?/, ''), names, '--');
      faults.push(`Cannot use the flag ${quoted(flag)}: there is no such flag${similar}; --help lists them`);
      // The next argument is probably its value, so it is not reported.
      if (inline === undefined && next !== undefined && !/^-\D/.test(next)) at++;
    }
  }
  faults.push(...argv.slice(end + 1).map(argumentFault));
  return { texts, actions, faults };
}

const takesValue = (meant: Setting<unknown> | Action | undefined): boolean =>
  typeof meant === 'object' && meant.kind.placeholder !== '';

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
  try {
    if (text !== 'memory') return storePlace(text);
  } catch (error) {
    throw copyFault(text, (error as Error).message);
  }
  throw copyFault(text, 'it is in no other process; give a file or redis://…');
}

const copyFault = (text: string, cause: string): SettingsError =>
  new SettingsError(`Cannot use ${COPY} ${JSON.stringify(concealed(text))}: ${cause}`);
