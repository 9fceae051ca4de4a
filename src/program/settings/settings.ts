/**
 * Reads the settings: each from its flag, else from its environment variable, else from the file of `--config`, else
 * from its default (D32).
 *
 * Every fault ends the start with a line of its own. Nothing is corrected: `PORT=80a` is an error.
 */
import { oneLine } from '../../core/log/log-line.ts';
import { memoryFor } from '../../core/wire/connection/limits.ts';
import { adminPlace, socketPathOf } from '../listening.ts';
import { bodyBudget, storeBudget } from '../memory-budgets.ts';
import { quoted } from '../quoted.ts';
import { isInRedis, storePlace } from '../store-place.ts';
import { fileText, InvalidValue } from './kinds.ts';
import {
  commandLine,
  configFile,
  type Environment,
  nearMisses,
  type Source,
  variables,
  variableText,
} from './sources.ts';
import { flagOf, type Key, orPrefixed, PREFIX, ROWS, type Setting, TABLE, variableOf } from './table.ts';

/** Every setting: sizes in bytes, times in milliseconds. */
export type Settings = {
  readonly [Key in keyof typeof TABLE]: (typeof TABLE)[Key] extends Setting<infer Value> ? Value : never;
};

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
  override readonly name = 'SettingsError';
  readonly exitCode = 2;
  /** Each names the setting, quotes the value and gives the cause. */
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** The settings of a service without flags and variables. */
export const defaults = (): Settings =>
  Object.fromEntries(ROWS.map(([key, setting]) => [key, setting.default])) as Settings;

/** What a process is given, read once: a start asks it several questions. Nothing is judged before `read`. */
export class GivenSettings {
  /** In the order of the table, behind the file. */
  readonly #given = new Map<Key, Given>();
  /** Of the command line and of the file. */
  readonly #faults: string[];
  readonly #environments: Environment[];

  /** Takes the arguments (without node and script) and the environment; what they say of `ignored` is left out. */
  constructor(argv: readonly string[], environment: Environment, ignored: readonly Key[] = []) {
    const { texts, faults } = commandLine(argv);
    const options: Source = {
      ...{ kind: 'option', place: '', nameOf: flagOf },
      textOf: (key) => (isRepeatable(key) ? texts.get(flagOf(key))?.join() : texts.get(flagOf(key))?.[0]),
    };
    this.#faults = faults;
    this.#environments = [environment];
    const sources = [options, ...variables(environment)];
    this.#find('config', sources);
    const config = this.#given.get('config');
    if (config !== undefined) {
      try {
        const file = configFile(config.text);
        sources.push(...file.sources);
        // There may be more than a call takes as arguments.
        for (const fault of file.faults) faults.push(fault);
        if (file.environment) this.#environments.push(file.environment);
      } catch (error) {
        faults.push(faultLine(config, (error as InvalidValue).message));
      }
    }
    for (const [key] of ROWS) {
      if (!ignored.includes(key) && key !== 'config') this.#find(key, sources);
      const name = flagOf(key);
      const [first, again] = texts.get(name) ?? [];
      if (again !== undefined && !isRepeatable(key))
        faults.push(
          faultLine({ source: options, name, text: again }, `it is ${quoted(first!)} already; give the flag once`),
        );
    }
    this.#chooseStore(sources);
  }

  #find(key: Key, sources: readonly Source[]): void {
    const source = sources.find((one) => one.textOf(key) !== undefined);
    if (source !== undefined) this.#given.set(key, { source, name: source.nameOf(key), text: source.textOf(key)! });
  }

  /** Of a store and a file that names one, the first source wins, as of any setting. */
  #chooseStore(sources: readonly Source[]): void {
    const [store, file] = [this.#given.get('store'), this.#given.get('storeFile')];
    if (file === undefined) return;
    if (store?.source === file.source)
      this.#faults.push(faultLine(file, `${store.name} gives the store too; leave out one of the two`));
    if (store && sources.indexOf(store.source) <= sources.indexOf(file.source)) this.#given.delete('storeFile');
    else this.#given.set('store', { ...file, parse: storeInFile });
  }

  /** The format in which faults of the settings themselves are told; undefined where none is given. */
  get logFormat(): Settings['logFormat'] {
    const format = this.#given.get('logFormat')?.text;
    return format === 'json' || format === 'text' ? format : undefined;
  }

  /** A line for each variable that begins with `TODO_` and is a misspelt setting. */
  warnings(): readonly string[] {
    return this.#environments.flatMap(nearMisses);
  }

  /** What to write to change a setting: its name where the value is given, else its flag. */
  readonly nameOf = (key: Key): string => {
    const given = this.#given.get(key);
    return given === undefined ? flagOf(key) : `${given.name}${given.source.place}`;
  };

  /**
   * The settings. Throws a `SettingsError` with a line for every unknown flag, missing value, repeated flag, positional
   * argument, invalid value and invalid combination, in the order of D63; for more than a hundred with their number.
   */
  read(): Settings {
    const faults = [...this.#faults];
    const values: Record<string, unknown> = defaults();
    const invalid = new Set<Key>();
    for (const [key, given] of this.#given) {
      const { text, parse = (TABLE[key] as Setting<unknown>).kind.parse } = given;
      try {
        values[key] = parse(text);
      } catch (error) {
        invalid.add(key);
        const { message, parts = [{ text, cause: message }] } = error as InvalidValue;
        for (const part of parts) faults.push(faultLine({ ...given, text: part.text }, part.cause));
      }
    }
    const settings = values as Settings;
    // An admin port alone is for these two.
    if (adminPlace(settings) !== undefined && !isAsked(settings))
      for (const key of ['healthChecks', 'metrics'] as const) values[key] = !this.#given.has(key);
    faults.push(...this.#combinationFaults(settings, invalid));
    const more = faults.splice(MAX_LINES).length;
    if (more > 0) faults.push(`Cannot use ${more} more flags, values or members; correct these first`);
    if (faults.length > 0) throw new SettingsError(...faults);
    return settings;
  }

  /** A line for each broken rule between two settings; a rule holds only where both are valid (D63). */
  #combinationFaults(settings: Settings, invalid: ReadonlySet<Key>): string[] {
    const { maxBody, maxBodyMemory = Infinity, store, adminPort, adminHost, host, port, reusePort } = settings;
    const given = this.#given;
    const isUnix = socketPathOf(host) !== undefined;
    const hasAdmin = adminPlace(settings) !== undefined;
    const admin = adminPort === undefined ? 'adminHost' : 'adminPort';
    const isAdminOfService = adminPort === port && port !== 0 && adminHost === host && !isUnix;
    const needed = memoryFor(maxBody);
    const memory = `a body of ${maxBody} bytes needs ${needed} bytes of memory, not ${maxBodyMemory}; change OTHER too`;
    const [body, budget]: [Key, Key] = given.has('maxBody')
      ? ['maxBody', 'maxBodyMemory']
      : ['maxBodyMemory', 'maxBody'];
    const redis = 'Redis limits its own memory; set maxmemory there, and leave this out';
    const unix = 'OTHER is a Unix socket, on which one service listens alone; leave out one of the two';
    const nothing = 'nothing is switched on that it would answer; give --health-checks, --metrics or --trace';
    /** The first setting is blamed, if it is given. OTHER is the second, by the name that goes with that of the first. */
    const rules: readonly (readonly [isBroken: boolean, blamed: Key, other: Key, cause: string])[] = [
      [!given.has('licenseName'), 'licenseUrl', 'licenseName', 'it has no name beside it; give OTHER too'],
      [maxBodyMemory < needed, body, budget, memory],
      [isInRedis(store), 'maxStoreBytes', 'store', redis],
      [reusePort && isUnix, 'reusePort', 'host', unix],
      [
        !hasAdmin && adminHost !== TABLE.adminHost.default,
        'adminHost',
        'adminPort',
        'it has no port beside it; give OTHER too',
      ],
      [isAdminOfService, 'adminPort', 'port', 'the service itself listens there; choose another'],
      [hasAdmin && !isAsked(settings), admin, 'healthChecks', nothing],
    ];
    return rules.flatMap(([isBroken, blamed, other, cause]) => {
      const value = given.get(blamed);
      if (!isBroken || value === undefined || invalid.has(blamed) || invalid.has(other)) return [];
      return faultLine(value, cause.replace('OTHER', given.get(other)?.name ?? value.source.nameOf(other)));
    });
  }

  /**
   * Every setting with its value, a line each, as a file of variables has them, and behind it where the value is from.
   * Secrets are left out; such a line is a comment. Throws as `read` does.
   */
  text(): string {
    const settings = this.read();
    const { maxBody, maxBodyMemory, maxStoreBytes, store } = settings;
    const budgets: { readonly [key in Key]?: number } = {
      ...(maxBodyMemory === undefined && { maxBodyMemory: bodyBudget(maxBody) }),
      ...(maxStoreBytes === undefined && store === 'memory' && { maxStoreBytes: storeBudget() }),
    };
    const lines = ROWS.map(([key, { kind }]) => {
      const given = this.#given.get(key);
      const value = settings[key];
      const written = value === undefined ? '' : (kind.show ?? String)(value);
      const budget = budgets[key] === undefined ? '' : `, ${budgets[key]} bytes by the memory of this process`;
      const origin = given ? `${given.source.kind} ${this.nameOf(key)}` : `default${budget}`;
      const line = `${variableOf(key, PREFIX)}=${variableText(written)} # ${origin}`;
      return key === 'store' && isInRedis(store) && written !== value ? `# ${line}, secrets left out` : line;
    });
    return lines.map(oneLine).join('\n');
  }
}

/** The settings of these arguments and this environment. Throws as `read` of `GivenSettings`. */
export const readSettings = (argv: readonly string[], environment: Environment): Settings =>
  new GivenSettings(argv, environment).read();

const isRepeatable = (key: Key): boolean => (TABLE[key] as Setting<unknown>).kind.repeatable === true;

/** Is anything switched on that an admin port answers? */
const isAsked = ({ healthChecks, metrics, trace }: Settings): boolean => healthChecks || metrics || trace !== 'off';

function faultLine({ name, text, source }: Given, cause: string): string {
  const isOfKubernetes = name === `${PREFIX}PORT` && text.startsWith('tcp:');
  const kubernetes =
    'Kubernetes gives it for a Service named "todo"; set enableServiceLinks to false, or rename the Service';
  return `Cannot use ${name} ${quoted(text)}${source.place}: ${isOfKubernetes ? kubernetes : cause + orPrefixed(name)}`;
}

/** The text of the file is never told, so it is no path, which messages have. */
function storeInFile(path: string): string {
  const text = fileText(path).trim();
  if (isInRedis(text)) return storePlace(text);
  throw new InvalidValue('its text is not a URL of Redis; write one into it, such as redis://user:password@host:6379');
}

const COPY = '--copy-store';

/**
 * Reads the two stores of `--copy-store FROM TO`, each as `--store` has it or, as `@FILE`, from a file as `--store-file`
 * has it, and the settings beside them. Throws a `SettingsError` as `readSettings` does, and for places that cannot be
 * copied.
 */
export function readCopyPlaces(argv: readonly string[], environment: Environment) {
  const at = argv.indexOf(COPY);
  const [from = '--', to = '--'] = argv.slice(at + 1);
  if (from.startsWith('--') || to.startsWith('--'))
    throw new SettingsError(
      `Cannot use ${COPY}: it needs two stores; give ${COPY} FROM TO, such as todo.db redis://host`,
    );
  const settings = new GivenSettings(argv.toSpliced(at, 3), environment, ['store', 'storeFile']).read();
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
