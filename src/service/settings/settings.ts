/**
 * Reads the settings. A setting comes from its flag, else from its environment variable, else from its default (D32).
 *
 * Mistakes end the start, and each is reported in a separate line. No value is corrected: `PORT=80a` is an error.
 */

import { memoryFor } from '../../core/http/limits.ts';
import { oneLine } from '../../core/log/log-line.ts';
import { adminPlace, socketPathOf } from '../listening.ts';
import { bodyBudget, storeBudget } from '../memory-budgets.ts';
import { withoutSecrets } from '../quoted.ts';
import { isInRedis } from '../store-place.ts';
import { InvalidValue } from './kinds.ts';
import { commandLine, type Environment, type Given, mistakeLine, unknownVariables, variableIn } from './sources.ts';
import { flagOf, type Key, ROWS, type Setting, TABLE, variableOf } from './table.ts';

/** The values of all settings. Sizes are in bytes, times in milliseconds. */
export type Settings = {
  readonly [Key in keyof typeof TABLE]: (typeof TABLE)[Key] extends Setting<infer Value> ? Value : never;
};

export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  /** Each line names the setting, quotes the value and gives the cause and the remedy. */
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** The settings in flags and variables. The constructor reads the sources; `read` validates the values. */
export class GivenSettings {
  readonly #given = new Map<Key, Given>();
  /** The mistakes in the command line, without invalid values, which `read` adds. */
  readonly #mistakes: readonly string[];
  readonly warnings: readonly string[];

  constructor(argv: readonly string[], environment: Environment) {
    const { texts, mistakes } = commandLine(argv);
    for (const [key] of ROWS) {
      const name = flagOf(key);
      const text = texts.get(name);
      const given = text === undefined ? variableIn(environment, key) : { name, text };
      if (given !== undefined) this.#given.set(key, given);
    }
    this.#mistakes = mistakes;
    this.warnings = unknownVariables(environment);
  }

  get isJson(): boolean {
    return this.#given.get('logFormat')?.text === 'json';
  }

  /** Returns the flag or variable that sets a setting. Returns its flag if the setting has its default. */
  readonly nameOf = (key: Key): string => this.#given.get(key)?.name ?? flagOf(key);

  /**
   * Returns the settings. Throws a `SettingsError` with a line for every unknown flag, missing value, repeated flag,
   * positional argument and invalid value; the values are in the order of the table. If there is no such mistake, throws
   * one with a line for each invalid combination (D63).
   */
  read(): Settings {
    const mistakes = [...this.#mistakes];
    const values: Record<string, unknown> = Object.fromEntries(ROWS.map(([key, row]) => [key, row.default]));
    for (const [key, given] of this.#given) {
      try {
        values[key] = TABLE[key].kind.parse(given.text);
      } catch (error) {
        const { message, entry = given.text } = error as InvalidValue;
        mistakes.push(mistakeLine({ ...given, text: entry }, message));
      }
    }
    const settings = values as Settings;
    // An admin port switches health checks and metrics on, unless they are set.
    if (adminPlace(settings) !== undefined)
      for (const key of ['healthChecks', 'metrics'] as const) if (!this.#given.has(key)) values[key] = true;
    if (mistakes.length === 0)
      mistakes.push(...RULES.map((rule) => rule(settings, this)).filter((line) => line !== false));
    if (mistakes.length > 0) throw new SettingsError(...mistakes);
    return settings;
  }

  readonly line = (key: Key, cause: string): string => mistakeLine(this.#given.get(key)!, cause);

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
      const { name, text } = this.#given.get(key) ?? {};
      const value = settings[key];
      const given = text !== undefined && isInRedis(text) && /[@?]/.test(text) ? withoutSecrets(text) : text;
      const shown = given ?? (value === undefined ? '' : (kind.show ?? String)(value));
      const quote = shown.includes("'") ? '"' : "'";
      const budget = budgets[key] === undefined ? '' : `, ${budgets[key]} bytes by the memory of this process`;
      const line = `${variableOf(key)}=${quote}${shown}${quote} # ${name ?? `default${budget}`}`;
      return given === text ? line : `# ${line}, secrets left out`;
    });
    return lines.map(oneLine).join('\n');
  }
}

export const readSettings = (argv: readonly string[], environment: Environment): Settings =>
  new GivenSettings(argv, environment).read();

/** Returns the line for an invalid combination of settings, or false. */
type Rule = (settings: Settings, given: GivenSettings) => string | false;

const RULES: readonly Rule[] = [
  function bodyFitsIntoMemory({ maxBody, maxBodyMemory = Infinity }, { line, nameOf }) {
    const needed = memoryFor(maxBody);
    const cause = `a body of ${maxBody} bytes needs ${needed} bytes of memory; raise it, or lower ${nameOf('maxBody')}`;
    return needed > maxBodyMemory && line('maxBodyMemory', cause);
  },
  function redisLimitsItself({ store, maxStoreBytes }, { line }) {
    const cause = 'Redis limits its own memory; set maxmemory there, and leave this setting out';
    return isInRedis(store) && maxStoreBytes !== undefined && line('maxStoreBytes', cause);
  },
  function portCanBeShared({ reusePort, host }, { line, nameOf }) {
    if (!reusePort) return false;
    const { platform, versions } = process;
    const [major = 0, minor = 0] = versions.node.split('.').map(Number);
    const remedy = 'run Node 22.12 or newer on Linux, or leave the setting out';
    if (platform !== 'linux' || major < 22 || (major === 22 && minor < 12))
      return line('reusePort', `Node ${versions.node} on ${platform} cannot share a port; ${remedy}`);
    const cause = `${nameOf('host')} is a Unix socket, which only one service can listen on; leave out one of the two`;
    return socketPathOf(host) !== undefined && line('reusePort', cause);
  },
  function adminHostHasPort(settings, { line, nameOf }) {
    const isSet = settings.adminHost !== TABLE.adminHost.default;
    const cause = `it needs a port; give ${nameOf('adminPort')} too`;
    return isSet && adminPlace(settings) === undefined && line('adminHost', cause);
  },
  function adminPortIsFree({ adminPort, adminHost, host, port }, { line }) {
    const isTaken = adminPort === port && port !== 0 && adminHost === host && socketPathOf(host) === undefined;
    return isTaken && line('adminPort', 'the service itself listens there; choose another');
  },
];

const COPY = '--copy-store';

/**
 * Parses `--copy-store FROM TO` and the other settings. Each store is written as for `--store`. Throws a
 * `SettingsError` for invalid settings, and for stores that cannot be copied.
 */
export function readCopyPlaces(argv: readonly string[], environment: Environment) {
  const at = argv.indexOf(COPY);
  const [from = '--', to = '--'] = argv.slice(at + 1);
  if (from.startsWith('--') || to.startsWith('--'))
    throw new SettingsError(
      `Cannot use ${COPY}: it needs two stores; give ${COPY} FROM TO, such as todo.db redis://host`,
    );
  const settings = readSettings(argv.toSpliced(at, 3), { ...environment, [variableOf('store')]: undefined });
  const places = { from: copyPlace(from), to: copyPlace(to) };
  if (places.from === places.to) throw copyError(to, 'both stores are the same; name another');
  return { ...places, settings };
}

function copyPlace(text: string): string {
  try {
    if (text === 'memory') throw new InvalidValue('memory belongs to one process; give a file or redis://…');
    return TABLE.store.kind.parse(text);
  } catch (error) {
    throw copyError(text, (error as Error).message);
  }
}

const copyError = (text: string, cause: string): SettingsError =>
  new SettingsError(mistakeLine({ name: COPY, text }, cause));
