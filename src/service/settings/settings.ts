/**
 * Reads the settings. A setting comes from its flag, else from its environment variable, else from the file of
 * `--config`, else from its default (D32).
 *
 * Mistakes end the start, and each is reported in a separate line. No value is corrected: `PORT=80a` is an error.
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

/** The values of all settings. Sizes are in bytes, times in milliseconds. */
export type Settings = {
  readonly [Key in keyof typeof TABLE]: (typeof TABLE)[Key] extends Setting<infer Value> ? Value : never;
};

/** The text of a setting, its source, and its name there. `parse` replaces the parser of the setting's kind. */
interface Entry {
  readonly source: Source;
  readonly name: string;
  readonly text: string;
  readonly parse?: (text: string) => unknown;
}

/** The most lines that are reported, because a pipe may not accept more text before the process ends. */
const MAX_LINES = 100;

/** Thrown for invalid settings, with one line for each mistake, and exit code 2 (D32). */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly exitCode = 2;
  /** Each line names the setting, quotes the value and gives the cause and the remedy. */
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Returns the default values of all settings. */
export const defaults = (): Settings =>
  Object.fromEntries(ROWS.map(([key, setting]) => [key, setting.default])) as Settings;

/** The settings in flags, variables and a file. The constructor reads the sources; `read` validates the values. */
export class GivenSettings {
  /** The settings that are set: `config` first, then the others in the order of the table. */
  readonly #entries = new Map<Key, Entry>();
  /** The mistakes in the command line and in the file, without invalid values, which `read` adds. */
  readonly #mistakes: string[];
  readonly #environments: Environment[];

  /** `argv` contains the arguments after `node` and the script. The settings in `ignored` are not read. */
  constructor(argv: readonly string[], environment: Environment, ignored: readonly Key[] = []) {
    const { texts, mistakes } = commandLine(argv);
    const options: Source = {
      ...{ kind: 'option', place: '', nameOf: flagOf },
      textOf: (key) => (isRepeatable(key) ? texts.get(flagOf(key))?.join() : texts.get(flagOf(key))?.[0]),
    };
    this.#mistakes = mistakes;
    this.#environments = [environment];
    const sources = [options, ...variables(environment)];
    this.#find('config', sources);
    const config = this.#entries.get('config');
    if (config !== undefined) {
      try {
        const file = configFile(config.text);
        sources.push(...file.sources);
        // A loop, because a file may have more mistakes than `push` can take as arguments.
        for (const mistake of file.mistakes) mistakes.push(mistake);
        if (file.environment) this.#environments.push(file.environment);
      } catch (error) {
        mistakes.push(mistakeLine(config, (error as InvalidValue).message));
      }
    }
    for (const [key] of ROWS) {
      if (!ignored.includes(key) && key !== 'config') this.#find(key, sources);
      const name = flagOf(key);
      const [first, again] = texts.get(name) ?? [];
      if (again !== undefined && !isRepeatable(key))
        mistakes.push(
          mistakeLine({ source: options, name, text: again }, `it is ${quoted(first!)} already; give the flag once`),
        );
    }
    this.#chooseStore(sources);
  }

  #find(key: Key, sources: readonly Source[]): void {
    const source = sources.find(({ textOf }) => textOf(key) !== undefined);
    if (source !== undefined) this.#entries.set(key, { source, name: source.nameOf(key), text: source.textOf(key)! });
  }

  /**
   * Chooses between `store` and `storeFile`, because both set the store. The first source wins, as for any setting. If
   * a source sets both, this is a mistake (D108).
   */
  #chooseStore(sources: readonly Source[]): void {
    const [store, file] = [this.#entries.get('store'), this.#entries.get('storeFile')];
    if (file === undefined) return;
    if (store?.source === file.source)
      this.#mistakes.push(mistakeLine(file, `${store.name} gives the store too; leave out one of the two`));
    if (store && sources.indexOf(store.source) <= sources.indexOf(file.source)) this.#entries.delete('storeFile');
    else this.#entries.set('store', { ...file, parse: storeInFile });
  }

  /** True if mistakes in the settings are reported as JSON. */
  get isJson(): boolean {
    return this.#entries.get('logFormat')?.text === 'json';
  }

  /** Returns a line for each variable that begins with `TODO_` and looks like a misspelt setting. */
  warnings(): readonly string[] {
    return this.#environments.flatMap(nearMisses);
  }

  /** Returns the flag, variable or member that sets a setting. Returns its flag if the setting has its default. */
  readonly nameOf = (key: Key): string => {
    const entry = this.#entries.get(key);
    return entry === undefined ? flagOf(key) : `${entry.name}${entry.source.place}`;
  };

  /**
   * Returns the settings. Throws a `SettingsError` with a line for every unknown flag, missing value, repeated flag,
   * positional argument, invalid value and invalid combination. The order is: mistakes of the command line, then of
   * single settings in the order of the table, then of pairs (D63). After a hundred lines, only the number of further
   * mistakes is reported.
   */
  read(): Settings {
    const mistakes = [...this.#mistakes];
    const values: Record<string, unknown> = defaults();
    const invalid = new Set<Key>();
    for (const [key, entry] of this.#entries) {
      const { text, parse = (TABLE[key] as Setting<unknown>).kind.parse } = entry;
      try {
        values[key] = parse(text);
      } catch (error) {
        invalid.add(key);
        const { message, parts = [{ text, cause: message }] } = error as InvalidValue;
        for (const part of parts) mistakes.push(mistakeLine({ ...entry, text: part.text }, part.cause));
      }
    }
    const settings = values as Settings;
    // If an admin port has no page, health checks and metrics are switched on, unless they are set.
    if (adminPlace(settings) !== undefined && !hasAdminPage(settings))
      for (const key of ['healthChecks', 'metrics'] as const) values[key] = !this.#entries.has(key);
    mistakes.push(...this.#combinationMistakes(settings, invalid));
    const more = mistakes.splice(MAX_LINES).length;
    if (more > 0) mistakes.push(`Cannot use ${more} more flags, values or members; correct these first`);
    if (mistakes.length > 0) throw new SettingsError(...mistakes);
    return settings;
  }

  /** Returns a line for each invalid combination of two settings. Skips a rule if one of the two is invalid (D63). */
  #combinationMistakes(settings: Settings, invalid: ReadonlySet<Key>): string[] {
    const { maxBody, maxBodyMemory = Infinity, store, adminPort, adminHost, host, port, reusePort } = settings;
    const entries = this.#entries;
    const isUnix = socketPathOf(host) !== undefined;
    const hasAdmin = adminPlace(settings) !== undefined;
    const admin = adminPort === undefined ? 'adminHost' : 'adminPort';
    const isAdminOfService = adminPort === port && port !== 0 && adminHost === host && !isUnix;
    const needed = memoryFor(maxBody);
    const memory = `a body of ${maxBody} bytes needs ${needed} bytes of memory, not ${maxBodyMemory}; change OTHER too`;
    const [body, budget]: [Key, Key] = entries.has('maxBody')
      ? ['maxBody', 'maxBodyMemory']
      : ['maxBodyMemory', 'maxBody'];
    const redis = 'Redis limits its own memory; set maxmemory there, and leave this setting out';
    const unix = 'OTHER is a Unix socket, which only one service can listen on; leave out one of the two';
    const nothing = 'it would answer nothing; give --health-checks, --metrics or --trace';
    /**
     * The rules. The line for a broken rule names the setting `named`, and is only returned if this setting is set. In
     * the cause, `OTHER` is replaced by the flag, variable or member of the setting `other`.
     */
    const rules: readonly (readonly [isBroken: boolean, named: Key, other: Key, cause: string])[] = [
      [!entries.has('licenseName'), 'licenseUrl', 'licenseName', 'it needs a name; give OTHER too'],
      [maxBodyMemory < needed, body, budget, memory],
      [isInRedis(store), 'maxStoreBytes', 'store', redis],
      [reusePort && isUnix, 'reusePort', 'host', unix],
      [!hasAdmin && adminHost !== TABLE.adminHost.default, 'adminHost', 'adminPort', 'it needs a port; give OTHER too'],
      [isAdminOfService, 'adminPort', 'port', 'the service itself listens there; choose another'],
      [hasAdmin && !hasAdminPage(settings), admin, 'healthChecks', nothing],
    ];
    return rules.flatMap(([isBroken, named, other, cause]) => {
      const value = entries.get(named);
      if (!isBroken || value === undefined || invalid.has(named) || invalid.has(other)) return [];
      return mistakeLine(value, cause.replace('OTHER', entries.get(other)?.name ?? value.source.nameOf(other)));
    });
  }

  /**
   * Returns a line for each setting in the format of an `.env` file. A comment at its end names the source of the
   * value. If the value contains a secret, the whole line is a comment, and the secret is left out. Throws the same
   * errors as `read`.
   */
  text(): string {
    const settings = this.read();
    const { maxBody, maxBodyMemory, maxStoreBytes, store } = settings;
    const budgets: { readonly [key in Key]?: number } = {
      ...(maxBodyMemory === undefined && { maxBodyMemory: bodyBudget(maxBody) }),
      ...(maxStoreBytes === undefined && store === 'memory' && { maxStoreBytes: storeBudget() }),
    };
    const lines = ROWS.map(([key, { kind }]) => {
      const entry = this.#entries.get(key);
      const value = settings[key];
      const written = value === undefined ? '' : (kind.show ?? String)(value);
      const budget = budgets[key] === undefined ? '' : `, ${budgets[key]} bytes by the memory of this process`;
      const origin = entry ? `${entry.source.kind} ${this.nameOf(key)}` : `default${budget}`;
      const line = `${variableOf(key, PREFIX)}=${variableText(written)} # ${origin}`;
      return key === 'store' && isInRedis(store) && written !== value ? `# ${line}, secrets left out` : line;
    });
    return lines.map(oneLine).join('\n');
  }
}

/** Returns the settings of these arguments and variables. Throws the same errors as `read` of `GivenSettings`. */
export const readSettings = (argv: readonly string[], environment: Environment): Settings =>
  new GivenSettings(argv, environment).read();

const isRepeatable = (key: Key): boolean => (TABLE[key] as Setting<unknown>).kind.repeatable === true;

/** Returns true if a page of the admin port is switched on. */
const hasAdminPage = ({ healthChecks, metrics, trace }: Settings): boolean =>
  healthChecks || metrics || trace !== 'off';

function mistakeLine({ name, text, source }: Entry, cause: string): string {
  const isOfKubernetes = name === `${PREFIX}PORT` && text.startsWith('tcp:');
  const kubernetes =
    'Kubernetes gives it for a Service named "todo"; set enableServiceLinks to false, or rename the Service';
  return `Cannot use ${name} ${quoted(text)}${source.place}: ${isOfKubernetes ? kubernetes : cause + orPrefixed(name)}`;
}

/** Returns the URL in a file. Throws for a path, because messages show paths, and must not show text of this file. */
function storeInFile(path: string): string {
  const text = fileText(path).trim();
  if (isInRedis(text)) return storePlace(text);
  throw new InvalidValue('it has no URL of Redis; write a URL into it, such as redis://user:password@host:6379');
}

const COPY = '--copy-store';

/**
 * Parses `--copy-store FROM TO` and the other settings. Each store is written as for `--store`, or as `@FILE` if the
 * file contains the URL. Throws a `SettingsError` for invalid settings, and for stores that cannot be copied.
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
  if (places.from === places.to) throw copyError(to, 'both stores are the same; name another');
  return { ...places, settings };
}

function copyPlace(text: string): string {
  try {
    if (text.startsWith('@')) return storeInFile(text.slice(1));
    if (text !== 'memory') return storePlace(text);
  } catch (error) {
    throw copyError(text, (error as Error).message);
  }
  throw copyError(text, 'memory belongs to one process; give a file or redis://…');
}

const copyError = (text: string, cause: string): SettingsError =>
  new SettingsError(`Cannot use ${COPY} ${quoted(text)}: ${cause}`);
