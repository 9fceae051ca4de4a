/** Reads where settings are given: on the command line, in variables and in files. The first source wins (D32). */
import { parseEnv } from 'node:util';
import { escaped } from '../../core/log/log-line.ts';
import { didYouMean, hint } from '../../core/options/did-you-mean.ts';
import { isRecord } from '../../core/options/shape.ts';
import { quoted } from '../quoted.ts';
import { fileText, InvalidValue, type Kind } from './kinds.ts';
import { flagOf, type Key, PREFIX, ROWS, variableOf } from './table.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What gives some of the settings, and how they are called there. */
export interface Source {
  readonly kind: 'option' | 'variable' | 'file';
  /** The file that it is, as messages name it behind a value: ` in "app.json"`; else empty. */
  readonly place: string;
  nameOf(key: Key): string;
  /** The text that is given; undefined for none. */
  textOf(key: Key): string | undefined;
}

const ACTIONS = ['help', 'version', 'health', 'copy-store', 'check', 'print-config'] as const;

/** What the command line asks for. */
export type Action = 'serve' | (typeof ACTIONS)[number];

const SETTING_FLAGS: ReadonlySet<string> = new Set(ROWS.map(([key]) => flagOf(key)));
const ACTION_FLAGS: ReadonlyMap<string, Action> = new Map(ACTIONS.map((action) => [`--${action}`, action]));

/**
 * Splits the arguments (without node and script): the texts of each flag, the action, and a line for each fault. `--`
 * ends the flags. A value may begin with one dash, as `-1` does; one that begins with two needs the form `--flag=VALUE`.
 * `parseArgs` of Node would take `--host` as the value of `--port` in `--port --host x`, or end at the first fault.
 */
export function commandLine(argv: readonly string[]) {
  const texts = new Map<string, string[]>();
  const actions: Action[] = [];
  const faults: string[] = [];
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  for (let at = 0; at < end; at++) {
    const given = argv[at]!;
    const next = at + 1 < end ? argv[at + 1] : undefined;
    const [, flag = '', inline] = /^([^=]+)(?:=([^]*))?$/.exec(given) ?? [];
    const action = ACTION_FLAGS.get(flag === '-h' ? '--help' : flag);
    if (!given.startsWith('-') || given === '-') faults.push(argumentFault(given));
    else if (action !== undefined) {
      // Behind a flag that lacks its value it is probably meant as that value.
      if (!SETTING_FLAGS.has(argv[at - 1] ?? '')) actions.push(action);
    } else if (!SETTING_FLAGS.has(flag)) {
      const names = [...SETTING_FLAGS, ...ACTION_FLAGS.keys()].map((name) => name.slice(2));
      const similar = hint(flag.replace(/^--?/, ''), names, '--');
      faults.push(`Cannot use the flag ${quoted(flag)}: there is no such flag${similar}; --help lists them`);
      // The next argument is probably its value, so it is not reported.
      if (inline === undefined && next !== undefined && !/^-\D/.test(next)) at++;
    } else if (inline === undefined && (next === undefined || next.startsWith('--')))
      faults.push(`Cannot use the flag "${flag}": it has no value; write ${flag}=VALUE`);
    else {
      texts.set(flag, [...(texts.get(flag) ?? []), inline ?? next!]);
      if (inline === undefined) at++;
    }
  }
  for (const given of argv.slice(end + 1)) faults.push(argumentFault(given));
  const action: Action = actions.includes('help') ? 'help' : (actions[0] ?? 'serve');
  return { texts, action, faults };
}

const argumentFault = (text: string): string =>
  `Cannot use the argument ${quoted(text)}: the service takes flags only; --help lists them`;

/** Variables with the prefix, then those without it, which may be meant for others. An empty one is not set. */
export const variables = (environment: Environment, kind: Source['kind'] = 'variable', place = ''): Source[] =>
  [PREFIX, ''].map((prefix) => ({
    ...{ kind, place },
    nameOf: (key) => variableOf(key, prefix),
    // With an empty prefix too, a setting may have a prefixed name alone.
    textOf: (key) => environment[variableOf(key, prefix)] || undefined,
  }));

/** What a file gives, a line for each member that is not a setting, and its variables. */
interface ConfigFile {
  readonly sources: readonly Source[];
  readonly faults: readonly string[];
  readonly environment?: Environment;
}

/**
 * The settings of a file: JSON, an object of the names of the flags without their dashes, or variables (`.env`), others
 * among them. Throws an `InvalidValue` for a file that is neither.
 */
export function configFile(path: string): ConfigFile {
  const place = ` in ${quoted(path)}`;
  if (/\.json$/i.test(path)) return jsonFile(fileText(path), place);
  if (!/\.env(\.[\w-]+)?$/i.test(path))
    throw new InvalidValue('its name says neither JSON nor variables; give a file such as app.json or app.env');
  const parsed = Object.entries(parseEnv(fileText(path)));
  const environment = Object.fromEntries(parsed.map(([name, value = '']) => [name, unescaped(value)]));
  return { sources: variables(environment, 'file', place), faults: [], environment };
}

/** The kinds of what a file may set. It names no other file of settings. */
const KINDS = new Map<string, Kind<unknown>>(
  ROWS.filter(([key]) => key !== 'config').map(([key, { kind }]) => [flagOf(key).slice(2), kind]),
);

function jsonFile(text: string, place: string): ConfigFile {
  const texts = new Map<string, string>();
  const faults = Object.entries(jsonObject(text)).flatMap(([name, value]) => {
    const kind = KINDS.get(name);
    if (kind === undefined) {
      const similar = hint(name, KINDS.keys());
      return `Cannot use the member ${quoted(name)}${place}: there is no such setting${similar}; --help lists them`;
    }
    const given = memberText(kind, value);
    const types = ['a text', ...(kind.json ?? []).map((type) => JSON_TYPES[type])].join(' or ');
    if (given === undefined) return `Cannot use ${name}${place}: its value is of another type; give ${types}`;
    texts.set(name, given);
    return [];
  });
  const nameOf = (key: Key): string => flagOf(key).slice(2);
  return { sources: [{ kind: 'file', place, nameOf, textOf: (key) => texts.get(nameOf(key)) }], faults };
}

function jsonObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch (error) {
    // The message has a piece of the file, and so perhaps a password.
    const [, at] = /position (\d+)/.exec((error as Error).message) ?? [];
    const line = at === undefined ? '' : ` (line ${text.slice(0, Number(at)).split('\n').length})`;
    throw new InvalidValue(`it is no JSON${line}; give an object such as { "port": 8080 }`);
  }
  throw new InvalidValue('it is no JSON object; give one such as { "port": 8080 }');
}

/** As the flag has it; undefined for a value that stands for no text. */
function memberText({ json = [] }: Kind<unknown>, value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && json.includes('number')) return String(value);
  if (typeof value === 'boolean' && json.includes('boolean')) return value ? 'on' : 'off';
  const isList = Array.isArray(value) && json.includes('array');
  return isList && value.every((entry) => typeof entry === 'string' && !entry.includes(',')) ? value.join() : undefined;
}

const JSON_TYPES = { number: 'a number', boolean: 'true or false', array: 'a list of texts without commas' };

/**
 * In a file of variables, `\u0027` stands for a character, as in JSON. Node's parser knows only `\n` between double
 * quotation marks, and ends a text at the next quotation mark of the same kind.
 */
const unescaped = (value: string): string =>
  value.replace(/\\u([\da-fA-F]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** A text as the value in a file of variables, on one line. */
export const variableText = (text: string): string =>
  `'${text.replace(/['\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|\\(?=u[\da-fA-F]{4})/gu, escaped)}'`;

/** The names of variables that nothing else but this service reads. */
const PREFIXED = ROWS.map(([key]) => variableOf(key, PREFIX));

/** A line for each variable that begins with the prefix and is a misspelt setting. Other variables belong to others. */
export const nearMisses = (environment: Environment): string[] =>
  Object.entries(environment).flatMap(([name, text]) => {
    if (!name.startsWith(PREFIX) || PREFIXED.includes(name) || !text) return [];
    const meant = didYouMean(name, PREFIXED);
    return meant ? [`The variable ${name} is not read: there is no such setting; did you mean ${meant}?`] : [];
  });
