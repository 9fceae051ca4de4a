/**
 * Reads the settings: each from its flag, else from its environment variable, else from the file of `--config`, else
 * from its default (D32).
 *
 * Every fault ends the start with a line of its own. Nothing is corrected: `PORT=80a` is an error.
 */
import { oneLine } from '../../core/log/log-line.ts';
import { hint } from '../../core/options/assert-options.ts';
import { memoryFor } from '../../core/wire/connection/limits.ts';
import { adminPlace, socketPathOf } from '../listen-place.ts';
import { bodyBudget, storeBudget } from '../memory-budgets.ts';
import { quoted } from '../quoted.ts';
import { isInRedis, storePlace } from '../store-place.ts';
import { fileText, InvalidValue } from './kinds.ts';
import { configFile, type Environment, nearMisses, type Source, variables, variableText } from './sources.ts';
import { flagOf, type Key, orPrefixed, PREFIX, ROWS, type Setting, TABLE, variableOf } from './table.ts';

/** Every setting: sizes in bytes, times in milliseconds. */
export type Settings = {
  readonly [Key in keyof typeof TABLE]: (typeof TABLE)[Key] extends Setting<infer Value> ? Value : never;
};

const ACTIONS = ['help', 'version', 'health', 'copy-store', 'check', 'print-config'] as const;

/** What the command line asks for. */
export type Action = 'serve' | (typeof ACTIONS)[number];

/** What gives a value, its name there, the text of the value, and what reads it in place of the kind of the setting. */
interface Given {
  readonly source: Source;
  readonly name: string;
  readonly text: string;
  readonly parse?: (text: string) => unknown;
}

/** Nobody reads more, and a pipe may not take more before the process ends. */
const MAX_LINES = 100;

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

/** What a process is given, read once: a start asks it several questions. Nothing is judged before `read`. */
export interface GivenSettings {
  /**
   * The settings. Throws a `SettingsError` with a line for every unknown flag, missing value, repeated flag, positional
   * argument, invalid value and invalid combination, in the order of D63; for more than a hundred with their number.
   */
  read(): Settings;
  /**
   * Every setting with its value, a line each, as a file of variables has them, and behind it where the value is from.
   * Secrets are left out; such a line is a comment. Throws as `read` does.
   */
  text(): string;
  /** A line for each variable that begins with `TODO_` and is a misspelt setting. Never throws. */
  warnings(): readonly string[];
  /** What to write to change a setting: its name where the value is given, else its flag. Never throws. */
  nameOf(key: Key): string;
  /** The format in which faults of the settings themselves are told; undefined where none is given. Never throws. */
  readonly logFormat: Settings['logFormat'];
}

/** Reads the arguments (without node and script), the environment and the file of `--config`. Never throws. */
export function givenSettings(argv: readonly string[], environment: Environment): GivenSettings {
  const found = valuesGiven(argv, environment);
  const { given, environments } = found;
  const format = given.get('logFormat')?.text;
  return {
    read: () => settingsOf(found),
    text: () => settingsText(found),
    warnings: () => environments.flatMap(nearMisses),
    nameOf(key) {
      const { name, source } = given.get(key) ?? {};
      return name === undefined ? flagOf(key) : `${name}${source?.place ?? ''}`;
    },
    logFormat: format === 'json' || format === 'text' ? format : undefined,
  };
}

/** The settings of these arguments and this environment. Throws as `read` of `GivenSettings`. */
export const readSettings = (argv: readonly string[], environment: Environment): Settings =>
  givenSettings(argv, environment).read();

function settingsOf({ given, faults: found }: ReturnType<typeof valuesGiven>): Settings {
  const faults = [...found];
  const values: Record<string, unknown> = defaults();
  const invalid = new Set<Key>();
  for (const [key, one] of given) {
    const { kind } = TABLE[key] as Setting<unknown>;
    const { text, parse = kind.parse } = one;
    try {
      values[key] = parse(text);
    } catch (error) {
      invalid.add(key);
      const { message, parts = [{ text, cause: message }] } = error as InvalidValue;
      for (const part of parts) faults.push(faultLine({ ...one, text: part.text }, part.cause));
    }
  }
  const settings = values as Settings;
  // An admin port alone is for these two.
  if (adminPlace(settings) !== undefined && !isAsked(settings))
    for (const key of ['healthChecks', 'metrics'] as const) values[key] = !given.has(key);
  faults.push(...combinationFaults(settings, given, invalid));
  const more = faults.splice(MAX_LINES).length;
  if (more > 0) faults.push(`Cannot use ${more} more flags, values or members; correct these first`);
  if (faults.length > 0) throw new SettingsError(...faults);
  return settings;
}

function settingsText(found: ReturnType<typeof valuesGiven>): string {
  const settings = settingsOf(found);
  const budgets: { readonly [key in Key]?: number } = {
    ...(settings.maxBodyMemory === undefined && { maxBodyMemory: bodyBudget(settings.maxBody) }),
    ...(settings.maxStoreBytes === undefined && settings.store === 'memory' && { maxStoreBytes: storeBudget() }),
  };
  const lines = ROWS.map(([key, { kind }]) => {
    const { source, name } = found.given.get(key) ?? {};
    const value = settings[key];
    const written = value === undefined ? '' : (kind.show ?? String)(value);
    const isHidden = key === 'store' && isInRedis(settings.store) && written !== value;
    const budget = budgets[key] === undefined ? '' : `, ${budgets[key]} bytes by the memory of this process`;
    const origin = source === undefined ? `default${budget}` : `${source.kind} ${name}${source.place ?? ''}`;
    const line = `${variableOf(key, PREFIX)}=${variableText(written)}`;
    return `${isHidden ? '# ' : ''}${line} # ${origin}${isHidden ? ', secrets left out' : ''}`;
  });
  return lines.map(oneLine).join('\n');
}

/** Is anything switched on that an admin port answers? */
const isAsked = ({ healthChecks, metrics, trace }: Settings): boolean => healthChecks || metrics || trace !== 'off';

/** A line for each broken rule between two settings; a rule holds only where both are valid (D63). */
function combinationFaults(settings: Settings, given: ReadonlyMap<Key, Given>, invalid: ReadonlySet<Key>): string[] {
  const { maxBody, maxBodyMemory = Infinity, store } = settings;
  const { adminPort, adminHost, host, port, reusePort } = settings;
  const faults: string[] = [];
  /** The first is blamed, if it is given. OTHER in the cause is the second, by flag or variable as it is given. */
  const refuseIf = (isBroken: boolean, blamed: Key, other: Key, cause: string): void => {
    const value = given.get(blamed);
    if (!isBroken || value === undefined || invalid.has(blamed) || invalid.has(other)) return;
    const otherName = given.get(other)?.name ?? value.source.nameOf(other);
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
  const isUnix = socketPathOf(host) !== undefined;
  refuseIf(
    reusePort && isUnix,
    'reusePort',
    'host',
    'OTHER is a Unix socket, on which one service listens alone; leave out one of the two',
  );
  const hasAdmin = adminPlace(settings) !== undefined;
  const isSame = adminPort === port && port !== 0 && adminHost === host && !isUnix;
  const nothing = 'nothing is switched on that it would answer; give --health-checks, --metrics or --trace';
  refuseIf(
    !hasAdmin && adminHost !== TABLE.adminHost.default,
    'adminHost',
    'adminPort',
    'it has no port beside it; give OTHER too',
  );
  refuseIf(isSame, 'adminPort', 'port', 'the service itself listens there; choose another');
  refuseIf(
    hasAdmin && !isAsked(settings),
    adminPort === undefined ? 'adminHost' : 'adminPort',
    'healthChecks',
    nothing,
  );
  return faults;
}

/**
 * The values that are given, in the order of the table, without those of `ignored`; a line for each fault of the
 * command line and of a file; and all variables.
 */
function valuesGiven(argv: readonly string[], environment: Environment, ignored: readonly Key[] = []) {
  const { texts, faults } = readCommandLine(argv);
  const options: Source = {
    kind: 'option',
    nameOf: flagOf,
    textOf(key) {
      const given = texts.get(flagOf(key));
      return (TABLE[key] as Setting<unknown>).kind.repeatable ? given?.join() : given?.[0];
    },
  };
  const sources = [options, ...variables(environment)];
  const environments = [environment];
  const given = new Map<Key, Given>();
  const find = (key: Key): void => {
    const source = sources.find((one) => one.textOf(key) !== undefined);
    if (source !== undefined) given.set(key, { source, name: source.nameOf(key), text: source.textOf(key)! });
  };
  find('config');
  const config = given.get('config');
  if (config !== undefined) {
    try {
      const file = configFile(config.text);
      sources.push(...file.sources);
      for (const fault of file.faults) faults.push(fault);
      if (file.environment) environments.push(file.environment);
    } catch (error) {
      faults.push(faultLine(config, (error as InvalidValue).message));
    }
  }
  for (const [key, { kind }] of ROWS) {
    if (!ignored.includes(key) && key !== 'config') find(key);
    const [first, second] = texts.get(flagOf(key)) ?? [];
    const again = kind.repeatable ? undefined : second;
    if (again === undefined) continue;
    const cause = `it is ${quoted(first!)} already; give the flag once`;
    faults.push(faultLine({ source: options, name: flagOf(key), text: again }, cause));
  }
  const [store, file] = [given.get('store'), given.get('storeFile')];
  if (store && store.source === file?.source)
    faults.push(faultLine(file, `${store.name} gives the store too; leave out one of the two`));
  // As of any setting, the first source wins.
  if (store && file && sources.indexOf(store.source) <= sources.indexOf(file.source)) given.delete('storeFile');
  else if (file) given.set('store', { ...file, parse: storeInFile });
  return { given, faults, environments };
}

/** The text of the file is never told, so it is no path, which messages have. */
function storeInFile(path: string): string {
  const text = fileText(path).trim();
  if (isInRedis(text)) return storePlace(text);
  throw new InvalidValue('its text is not a URL of Redis; write one into it, such as redis://user:password@host:6379');
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
      if (typeof FLAGS.get(argv[at - 1] ?? '') !== 'object') actions.push(meant);
    } else if (meant !== undefined && inline !== undefined) add(flag, inline);
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
  for (const given of argv.slice(end + 1)) faults.push(argumentFault(given));
  return { texts, actions, faults };
}

const argumentFault = (text: string): string =>
  `Cannot use the argument ${quoted(text)}: the service takes flags only; --help lists them`;
function faultLine({ name, text, source }: Given, cause: string): string {
  const isOfKubernetes = name === `${PREFIX}PORT` && text.startsWith('tcp:');
  const reason = isOfKubernetes ? KUBERNETES : `${cause}${orPrefixed(name)}`;
  return `Cannot use ${name} ${quoted(text)}${source.place ?? ''}: ${reason}`;
}
const KUBERNETES =
  'Kubernetes gives it for a Service named "todo"; set enableServiceLinks to false, or rename the Service';

const COPY = '--copy-store';

/**
 * Reads the two stores of `--copy-store FROM TO`, each as `--store` has it or, as `@FILE`, from a file as `--store-file`
 * has it, and the settings beside them. Throws a `SettingsError` as `readSettings` does, and for places that cannot be
 * copied.
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
  const rest = [...argv.slice(0, at), ...argv.slice(at + 3)];
  const settings = settingsOf(valuesGiven(rest, environment, ['store', 'storeFile']));
  const places = { from: copyPlace(from), to: copyPlace(to) };
  if (places.from === places.to) throw copyFault(to, 'it is the same store; name another');
  return { ...places, settings };
}

function copyPlace(text: string): string {
  try {
    if (text.startsWith('@')) return storeInFile(text.slice(1));
    if (text !== 'memory') return storePlace(text);
  } catch (error) {
    throw copyFault(text, (error as Error).message);
  }
  throw copyFault(text, 'it is in no other process; give a file or redis://…');
}

const copyFault = (text: string, cause: string): SettingsError =>
  new SettingsError(`Cannot use ${COPY} ${quoted(text)}: ${cause}`);
