/**
 * Hides secrets in a trace: the values of `Authorization`, cookies and declared API keys. A handler may copy a secret
 * into its reply or into an error. Secrets are therefore replaced in every text, also if the text contains them in the
 * encoding of URLs, forms, JSON or HTML.
 */

import { attempt } from '../../core/log/thrown-value.ts';
import { decoded } from '../../core/message/normal-path.ts';
import type { RoutedOperation } from '../../operations/operation/controller.ts';
import { requirementsOf } from '../../operations/security.ts';

/** The text that replaces a secret. */
export const HIDDEN = '(hidden)';

/**
 * The minimum length of a value that is hidden in every text, in characters. A shorter value would match in many texts,
 * so it is hidden only in its header or parameter.
 */
const SHORTEST = 4;

/**
 * The maximum number of spellings with the same beginning that are compared with a text. If there are more, every text
 * with this beginning is hidden, up to the length of the longest spelling.
 */
const MANY = 50;

/** The places of secrets, in lower case, such as `header cookie` or `query key`. */
export type SecretNames = Set<string>;

/** Returns the places of secrets in every application. */
export const secretNames = (): SecretNames =>
  new Set(['header authorization', 'header proxy-authorization', 'header cookie', 'header set-cookie']);

/** Adds the places of the API keys that an operation declares. */
export function addKeysOf({ security = [] }: Pick<RoutedOperation, 'security'>, names: SecretNames): void {
  for (const { scheme } of requirementsOf(security))
    if (scheme.kind.type === 'apiKey') names.add(`${scheme.kind.in} ${scheme.kind.name.toLowerCase()}`);
}

/** Collects the secrets of one request. `search` returns an object that hides them when the recording is shown. */
export class Secrets {
  readonly #names: SecretNames;
  /** The secret values as the client sent them, by place. */
  readonly #values = new Map<string, Set<string>>();

  /** Collects the secrets in the headers and the target of the request. */
  constructor(names: SecretNames, rawHeaders: readonly string[], target: string) {
    this.#names = names;
    for (let at = 0; at < rawHeaders.length; at += 2) this.header(rawHeaders[at]!, rawHeaders[at + 1]!);
    this.target(target);
  }

  /** The total length of the values in characters. */
  get length(): number {
    return [...this.#values.values()].flatMap((values) => [...values]).join('').length;
  }

  /** Returns the value of a header; for a secret value, collects it and returns `HIDDEN`. */
  header(name: string, value: string): string {
    const place = `header ${name.toLowerCase()}`;
    if (!this.#names.has(place)) return value;
    this.#learn(place, value);
    return HIDDEN;
  }

  /** Collects and replaces the secret parameters in a request target or a query. Removes the user and the password. */
  target(target: string): string {
    const plain = target.replace(/^(https?:\/\/)[^/@]*@/i, '$1');
    return plain.replace(/(^|[?&])([^=&#?]*)=([^&#]*)/g, (whole, start: string, name: string, value: string) => {
      const place = `query ${unescaped(name).toLowerCase()}`;
      if (!this.#names.has(place)) return whole;
      this.#learn(place, value);
      return `${start}${name}=${HIDDEN}`;
    });
  }

  /** Returns a search for all values that are collected so far. The search needs much more memory than the values. */
  search(): SecretSearch {
    const placed = [...this.#values].flatMap(([place, values]) => [...values].map((value) => [place, value] as const));
    return new SecretSearch(placed.flatMap(([place, value]) => partsOf(place, value)));
  }

  #learn(place: string, value: string): void {
    this.#values.set(place, (this.#values.get(place) ?? new Set()).add(value));
  }
}

/** Replaces secret values in texts. */
export class SecretSearch {
  /**
   * The spellings of the values by their first characters, the longest first. They are too many for one regular
   * expression.
   */
  readonly #byBeginning = new Map<string, string[]>();
  readonly #longest: number;

  constructor(values: readonly string[]) {
    const long = values.filter(({ length }) => length >= SHORTEST);
    const spellings = [...new Set(long.flatMap(spellingsOf))].sort((a, b) => b.length - a.length);
    for (const spelling of spellings) {
      const beginning = spelling.slice(0, SHORTEST);
      const known = this.#byBeginning.get(beginning) ?? [];
      this.#byBeginning.set(beginning, known);
      known.push(spelling);
    }
    this.#longest = spellings[0]?.length ?? 0;
  }

  /** Returns the text with the values replaced. Overlapping values are replaced together. */
  text(text: string): string {
    let shown = '';
    let end = 0;
    for (let at = 0; at < text.length; at++) {
      const spellings = this.#byBeginning.get(text.slice(at, at + SHORTEST)) ?? [];
      const found =
        spellings.length > MANY ? spellings[0] : spellings.find((spelling) => text.startsWith(spelling, at));
      if (found === undefined) continue;
      if (end === 0 || at > end) shown += text.slice(end, at) + HIDDEN;
      end = Math.max(end, at + found.length);
    }
    return shown + text.slice(end);
  }

  /**
   * Returns at most `length` characters of a text whose end was cut off, with the values replaced. Removes the last
   * characters, because they may be the beginning of a value whose end was cut off.
   */
  beginning(text: string, length: number): string {
    const shown = this.text(text);
    const certain = Math.max(0, shown.length - this.#longest);
    return shown.slice(0, Math.min(certain, length));
  }

  /** Returns a copy of the value with all secrets replaced, in strings and in member names. */
  all<Value>(value: Value): Value;
  all(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.all(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [this.text(name), this.all(member)]));
  }
}

/** Returns the value and its secret parts: the credentials after the scheme, the password, the value of each cookie. */
function partsOf(place: string, value: string): string[] {
  if (place.startsWith('query')) return [value, unescaped(value)];
  if (place.endsWith('cookie')) return [value, ...value.split(';').flatMap(valueOf)];
  const [, scheme = '', credentials = ''] = /^([\w-]+)[ \t]+(.+)$/.exec(value) ?? [];
  if (scheme.toLowerCase() !== 'basic') return [value, credentials, ...credentials.split(',').flatMap(valueOf)];
  const texts = (['utf8', 'latin1'] as const).map((encoding) => Buffer.from(credentials, 'base64').toString(encoding));
  return [value, credentials, ...texts, ...texts.map((text) => text.slice(text.indexOf(':') + 1))];
}

/** Returns the value of `name=value`, with and without quotes; an empty array if there is no equals sign. */
function valueOf(pair: string): string[] {
  const equals = pair.indexOf('=');
  if (equals < 0) return [];
  const value = pair.slice(equals + 1).trim();
  return [value, value.replace(/^"(.*)"$/, '$1')];
}

/** Returns the spellings of a value: decoded, and encoded for URLs, forms, JSON and HTML. */
function spellingsOf(value: string): string[] {
  if (/^[\w.*-]+$/.test(value)) return [value];
  const inUtf8 = Buffer.from(value, 'latin1').toString('utf8');
  const read = [value, decoded(value) ?? value, unescaped(value), inUtf8].filter(({ length }) => length >= SHORTEST);
  return [...new Set(read)].flatMap((text) => [
    text,
    attempt(() => encodeURIComponent(text), text),
    new URLSearchParams({ v: text }).toString().slice(2),
    JSON.stringify(text).slice(1, -1),
    text.replace(/[&<>"']/g, (character) => HTML[character]!),
  ]);
}

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const unescaped = (written: string): string => decoded(written.replaceAll('+', ' ')) ?? written;
