/**
 * Where settings are given: on the command line, in variables and in files. The first source that gives one wins (D32).
 */

import { parseEnv } from 'node:util';
import { escaped } from '../../core/log/log-line.ts';
import { didYouMean, hint } from '../../core/options/assert-options.ts';
import { isRecord } from '../../core/options/shape.ts';
import { quoted } from '../quoted.ts';
import { fileText, InvalidValue, type Kind } from './kinds.ts';
import { flagOf, type Key, PREFIX, ROWS, variableOf } from './table.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What gives some of the settings, and how they are called there. */
export interface Source {
  readonly kind: 'option' | 'variable' | 'file';
  /** The file that it is, as messages name it behind a value: ` in "app.json"`. */
  readonly place?: string;
  nameOf(key: Key): string;
  /** The text that is given; undefined for none. */
  textOf(key: Key): string | undefined;
}

/** Variables with the prefix, then those without it, which may be meant for others. An empty one is not set. */
export const variables = (environment: Environment, kind: Source['kind'] = 'variable', place = ''): Source[] =>
  [PREFIX, ''].map((prefix) => ({
    ...{ kind, place },
    nameOf: (key) => variableOf(key, prefix),
    // With an empty prefix too, a setting may have a prefixed name alone.
    textOf: (key) => environment[variableOf(key, prefix)] || undefined,
  }));

/**
 * The settings of a file, and a line for each member that is none: JSON, an object of the names of the flags without
 * their dashes, or variables (`.env`), others among them. Throws an `InvalidValue` for a file that is neither.
 */
export function configFile(path: string): {
  readonly sources: readonly Source[];
  readonly faults: readonly string[];
  readonly environment?: Environment;
} {
  const isJson = /\.json$/i.test(path);
  if (!isJson && !/\.env(\.[\w-]+)?$/i.test(path))
    throw new InvalidValue('its name says neither JSON nor variables; give a file such as app.json or app.env');
  const text = fileText(path);
  const place = ` in ${quoted(path)}`;
  if (!isJson) {
    const environment = Object.fromEntries(
      Object.entries(parseEnv(text)).map(([name, value]) => [name, unescaped(value)]),
    );
    return { sources: variables(environment, 'file', place), faults: [], environment };
  }
  const texts = new Map<string, string>();
  const faults: string[] = [];
  for (const [name, value] of Object.entries(jsonObject(text))) {
    const kind = KINDS.get(name);
    const given = kind && memberText(kind, value);
    if (given !== undefined) texts.set(name, given);
    else if (kind) {
      const types = ['a text', ...(kind.json ?? []).map((type) => JSON_TYPES[type])].join(' or ');
      faults.push(`Cannot use ${name}${place}: its value is of another type; give ${types}`);
    } else {
      const similar = hint(name, KINDS.keys());
      faults.push(
        `Cannot use the member ${quoted(name)}${place}: there is no such setting${similar}; --help lists them`,
      );
    }
  }
  const nameOf = (key: Key): string => flagOf(key).slice(2);
  return { sources: [{ kind: 'file', place, nameOf, textOf: (key) => texts.get(nameOf(key)) }], faults };
}

/**
 * In a file of variables, `\u0027` stands for a character, as in JSON. Node's parser knows only `\n` between double
 * quotation marks, and ends a text at the next quotation mark of the same kind.
 */
const unescaped = (value = ''): string =>
  value.replace(/\\u([\da-fA-F]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** A text as the value in a file of variables, on one line. */
export const variableText = (text: string): string =>
  `'${text.replace(/['\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|\\(?=u[\da-fA-F]{4})/gu, escaped)}'`;

/** The kinds of what a file may set. It names no other file of settings. */
const KINDS = new Map<string, Kind<unknown>>(
  ROWS.filter(([key]) => key !== 'config').map(([key, { kind }]) => [flagOf(key).slice(2), kind]),
);

function jsonObject(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The message has a piece of the file, and so perhaps a password.
    const [, at] = /position (\d+)/.exec((error as Error).message) ?? [];
    const line = at === undefined ? '' : ` (line ${text.slice(0, Number(at)).split('\n').length})`;
    throw new InvalidValue(`it is no JSON${line}; give an object such as { "port": 8080 }`);
  }
  if (isRecord(value)) return value;
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

/** The names of variables that nothing else but this service reads. */
const PREFIXED = ROWS.map(([key]) => variableOf(key, PREFIX));

/** A line for each variable that begins with the prefix and is a misspelt setting. Other variables belong to others. */
export const nearMisses = (environment: Environment): string[] =>
  Object.entries(environment).flatMap(([name, text]) => {
    if (!name.startsWith(PREFIX) || PREFIXED.includes(name) || !text) return [];
    const meant = didYouMean(name, PREFIXED);
    return meant ? [`The variable ${name} is not read: there is no such setting; did you mean ${meant}?`] : [];
  });
