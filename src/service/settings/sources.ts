/** Reads the sources of settings: the command line, variables and files. The first source wins (D32). */
import { parseEnv } from 'node:util';
import { escaped } from '../../core/log/log-line.ts';
import { didYouMean, hint } from '../../core/options/did-you-mean.ts';
import { isRecord } from '../../core/options/shape.ts';
import { quoted } from '../quoted.ts';
import { fileText, InvalidValue, type Kind } from './kinds.ts';
import { flagOf, type Key, PREFIX, ROWS, variableOf } from './table.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A source of settings, with the names that the settings have in this source. */
export interface Source {
  readonly kind: 'option' | 'variable' | 'file';
  /** The end of messages about a file, such as ` in "app.json"`. Empty for other sources. */
  readonly place: string;
  nameOf(key: Key): string;
  /** Returns the text of a setting, or undefined if this source does not set it. */
  textOf(key: Key): string | undefined;
}

const ACTIONS = ['help', 'version', 'health', 'copy-store', 'check', 'print-config'] as const;

/** The action that the command line selects. */
export type Action = 'serve' | (typeof ACTIONS)[number];

const SETTING_FLAGS: ReadonlySet<string> = new Set(ROWS.map(([key]) => flagOf(key)));
const ACTION_FLAGS: ReadonlyMap<string, Action> = new Map(ACTIONS.map((action) => [`--${action}`, action]));

/**
 * Parses the arguments after `node` and the script. Returns the texts of each flag, the action, and a line for each
 * mistake. `--` ends the flags. A value may begin with one dash, such as `-1`. If it begins with two dashes, it must be
 * written as `--flag=VALUE`. A repeated flag is a mistake even with the same value (D63). `parseArgs` of Node is not
 * used, because it throws at the first mistake, or takes `--host` in `--port --host x` as the value of `--port`.
 */
export function commandLine(argv: readonly string[]) {
  const texts = new Map<string, string[]>();
  const actions: Action[] = [];
  const mistakes: string[] = [];
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  for (let at = 0; at < end; at++) {
    const argument = argv[at]!;
    const next = at + 1 < end ? argv[at + 1] : undefined;
    const [, flag = '', inline] = /^([^=]+)(?:=([^]*))?$/.exec(argument) ?? [];
    const action = ACTION_FLAGS.get(flag === '-h' ? '--help' : flag);
    if (!argument.startsWith('-') || argument === '-') mistakes.push(argumentMistake(argument));
    else if (action !== undefined) {
      // After a flag that lacks a value, this argument is probably meant as the value, and not as an action.
      if (!SETTING_FLAGS.has(argv[at - 1] ?? '')) actions.push(action);
    } else if (!SETTING_FLAGS.has(flag)) {
      const names = [...SETTING_FLAGS, ...ACTION_FLAGS.keys()].map((name) => name.slice(2));
      const similar = hint(flag.replace(/^--?/, ''), names, '--');
      mistakes.push(`Cannot use the flag ${quoted(flag)}: the flag does not exist${similar}; --help lists them`);
      // The next argument is probably the value of the unknown flag, so it is not reported.
      if (inline === undefined && next !== undefined && !/^-\D/.test(next)) at++;
    } else if (inline === undefined && (next === undefined || next.startsWith('--')))
      mistakes.push(`Cannot use the flag "${flag}": it has no value; write ${flag}=VALUE`);
    else {
      texts.set(flag, [...(texts.get(flag) ?? []), inline ?? next!]);
      if (inline === undefined) at++;
    }
  }
  for (const argument of argv.slice(end + 1)) mistakes.push(argumentMistake(argument));
  const action: Action = actions.includes('help') ? 'help' : (actions[0] ?? 'serve');
  return { texts, action, mistakes };
}

const argumentMistake = (text: string): string =>
  `Cannot use the argument ${quoted(text)}: the service takes flags only; --help lists them`;

/** Returns two sources: the variables with the prefix, and the variables without it. Ignores empty variables. */
export const variables = (environment: Environment, kind: Source['kind'] = 'variable', place = ''): Source[] =>
  [PREFIX, ''].map((prefix) => ({
    ...{ kind, place },
    nameOf: (key) => variableOf(key, prefix),
    textOf: (key) => environment[variableOf(key, prefix)] || undefined,
  }));

/** The settings in a file, a line for each wrong member, and all variables if the file is an `.env` file. */
interface ConfigFile {
  readonly sources: readonly Source[];
  readonly mistakes: readonly string[];
  readonly environment?: Environment;
}

/**
 * Reads the settings in a file. A JSON file contains an object. The names of its members are the flags without their
 * dashes. An `.env` file contains variables, also for other programs. Throws an `InvalidValue` for any other file.
 */
export function configFile(path: string): ConfigFile {
  const place = ` in ${quoted(path)}`;
  if (/\.json$/i.test(path)) return jsonFile(fileText(path), place);
  if (!/\.env(\.[\w-]+)?$/i.test(path))
    throw new InvalidValue('its name does not end in .json or .env; give a file such as app.json or app.env');
  const parsed = Object.entries(parseEnv(fileText(path)));
  const environment = Object.fromEntries(parsed.map(([name, value = '']) => [name, unescaped(value)]));
  return { sources: variables(environment, 'file', place), mistakes: [], environment };
}

/** The kinds of the settings in a file, by name. `config` is left out, because a file cannot name a file. */
const KINDS = new Map<string, Kind<unknown>>(
  ROWS.filter(([key]) => key !== 'config').map(([key, { kind }]) => [flagOf(key).slice(2), kind]),
);

function jsonFile(text: string, place: string): ConfigFile {
  const texts = new Map<string, string>();
  const mistakes = Object.entries(jsonObject(text)).flatMap(([name, value]) => {
    const kind = KINDS.get(name);
    if (kind === undefined) {
      const similar = hint(name, KINDS.keys());
      return `Cannot use the member ${quoted(name)}${place}: the setting does not exist${similar}; --help lists them`;
    }
    const memberValue = memberText(kind, value);
    const types = ['a string', ...(kind.json ?? []).map((type) => JSON_TYPES[type])].join(' or ');
    if (memberValue === undefined) return `Cannot use ${name}${place}: its value has the wrong type; give ${types}`;
    texts.set(name, memberValue);
    return [];
  });
  const nameOf = (key: Key): string => flagOf(key).slice(2);
  return { sources: [{ kind: 'file', place, nameOf, textOf: (key) => texts.get(nameOf(key)) }], mistakes };
}

function jsonObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch (error) {
    // The parser's message is not shown, because it quotes the file, which may contain a password.
    const [, at] = /position (\d+)/.exec((error as Error).message) ?? [];
    const line = at === undefined ? '' : ` (line ${text.slice(0, Number(at)).split('\n').length})`;
    throw new InvalidValue(`it is not JSON${line}; give an object such as { "port": 8080 }`);
  }
  throw new InvalidValue('it is not a JSON object; give one such as { "port": 8080 }');
}

/** Returns the value of a member as the flag would have it, or undefined if the value has the wrong type. */
function memberText({ json = [] }: Kind<unknown>, value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && json.includes('number')) return String(value);
  if (typeof value === 'boolean' && json.includes('boolean')) return value ? 'on' : 'off';
  const isList = Array.isArray(value) && json.includes('array');
  return isList && value.every((entry) => typeof entry === 'string' && !entry.includes(',')) ? value.join() : undefined;
}

const JSON_TYPES = { number: 'a number', boolean: 'true or false', array: 'a list of strings without commas' };

/**
 * Replaces escapes such as `\u0027` in the value of a variable, as JSON does. Without these escapes, a value could not
 * contain all three kinds of quotation marks, because Node's parser of `.env` files has no escape for them.
 */
const unescaped = (value: string): string =>
  value.replace(/\\u([\da-fA-F]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** Returns a text as the value of a variable in an `.env` file, on one line. */
export const variableText = (text: string): string =>
  `'${text.replace(/['\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|\\(?=u[\da-fA-F]{4})/gu, escaped)}'`;

/** The names of the settings' variables with the prefix. */
const PREFIXED = ROWS.map(([key]) => variableOf(key, PREFIX));

/** Returns a line for each variable with the prefix that looks like a misspelt setting. Ignores other variables. */
export const nearMisses = (environment: Environment): string[] =>
  Object.entries(environment).flatMap(([name, text]) => {
    if (!name.startsWith(PREFIX) || PREFIXED.includes(name) || !text) return [];
    const meant = didYouMean(name, PREFIXED);
    return meant ? [`The variable ${name} is not read: the setting does not exist; did you mean ${meant}?`] : [];
  });
