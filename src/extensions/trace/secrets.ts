/**
 * Hides what no trace shows: the values of `Authorization`, of cookies and of declared API keys. A handler may write
 * them into its reply or an error, so they are replaced in every text, in the spellings of URLs, forms, JSON and HTML.
 */

import { attempt } from '../../core/log/thrown-value.ts';
import { decoded } from '../../core/message/normal-path.ts';
import type { RoutedOperation } from '../../operations/operation/controller.ts';
import { requirementsOf } from '../../operations/security.ts';

/** What stands in the place of a value. */
export const HIDDEN = '(hidden)';

/** A shorter value is a part of many texts. It is hidden in its own place alone. */
const SHORTEST = 4;

/** So many spellings of one beginning are sought one by one. Of more, the longest is hidden, whichever it is. */
const MANY = 50;

/** Where values are hidden: `header cookie` or `query key`, in lower case. */
export type SecretNames = Set<string>;

/** The names that are secret in every application. */
export const secretNames = (): SecretNames =>
  new Set(['header authorization', 'header proxy-authorization', 'header cookie', 'header set-cookie']);

/** Adds the API keys that an operation declares. */
export function addKeysOf({ security = [] }: Pick<RoutedOperation, 'security'>, names: SecretNames): void {
  for (const { scheme } of requirementsOf(security))
    if (scheme.kind.type === 'apiKey') names.add(`${scheme.kind.in} ${scheme.kind.name.toLowerCase()}`);
}

/** Learns the secrets of one request while it is recorded. `search` hides them when the recording is shown. */
export class Secrets {
  readonly #names: SecretNames;
  /** The values as they were sent, by their places. */
  readonly #values = new Map<string, Set<string>>();

  /** `rawHeaders` and `target` are those of the request. */
  constructor(names: SecretNames, rawHeaders: readonly string[], target: string) {
    this.#names = names;
    for (let at = 0; at < rawHeaders.length; at += 2) this.header(rawHeaders[at]!, rawHeaders[at + 1]!);
    this.target(target);
  }

  /** How many characters the values have. */
  get length(): number {
    return [...this.#values.values()].flatMap((values) => [...values]).join('').length;
  }

  /** The value of a header; hidden, and known from now on, where its name is that of a secret. */
  header(name: string, value: string): string {
    const place = `header ${name.toLowerCase()}`;
    if (!this.#names.has(place)) return value;
    this.#learn(place, value);
    return HIDDEN;
  }

  /** A request target or a query without the values of secret parameters, and without a user in front of the host. */
  target(target: string): string {
    const plain = target.replace(/^(https?:\/\/)[^/@]*@/i, '$1');
    return plain.replace(/(^|[?&])([^=&#?]*)=([^&#]*)/g, (whole, start: string, name: string, value: string) => {
      const place = `query ${unescaped(name).toLowerCase()}`;
      if (!this.#names.has(place)) return whole;
      this.#learn(place, value);
      return `${start}${name}=${HIDDEN}`;
    });
  }

  /** The search for the values that are known now. It takes much more memory than the values. */
  search(): SecretSearch {
    const placed = [...this.#values].flatMap(([place, values]) => [...values].map((value) => [place, value] as const));
    return new SecretSearch(placed.flatMap(([place, value]) => partsOf(place, value)));
  }

  #learn(place: string, value: string): void {
    this.#values.set(place, (this.#values.get(place) ?? new Set()).add(value));
  }
}

/** Hides values in texts. */
export class SecretSearch {
  /** All spellings of the values by their beginnings, the longest first. V8 refuses one expression of so many. */
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

  /** The text without the values. Where they overlap, what they cover is hidden as one. */
  text(text: string): string {
    let shown = '';
    let end = 0;
    for (let at = 0; at < text.length; at++) {
      const spellings = this.#byBeginning.get(text.slice(at, at + SHORTEST)) ?? [];
      const found = spellings.length > MANY ? spellings[0] : spellings.find((one) => text.startsWith(one, at));
      if (found === undefined) continue;
      if (end === 0 || at > end) shown += text.slice(end, at) + HIDDEN;
      end = Math.max(end, at + found.length);
    }
    return shown + text.slice(end);
  }

  /** The beginning of a longer text, without the values: also without one that may go on behind it. */
  beginning(text: string, length: number): string {
    const shown = this.text(text);
    const certain = Math.max(0, shown.length - this.#longest);
    return shown.slice(0, Math.min(certain, length));
  }

  /** The value with every text in it hidden, names of members too. */
  all<Value>(value: Value): Value;
  all(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.all(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [this.text(name), this.all(one)]));
  }
}

/** The value, and what of it is a secret alone: the credentials behind a scheme, a password, each cookie. */
function partsOf(place: string, value: string): string[] {
  if (place.startsWith('query')) return [value, unescaped(value)];
  if (place.endsWith('cookie')) return [value, ...value.split(';').flatMap(valueOf)];
  const [, scheme = '', credentials = ''] = /^([\w-]+)[ \t]+(.+)$/.exec(value) ?? [];
  if (scheme.toLowerCase() !== 'basic') return [value, credentials, ...credentials.split(',').flatMap(valueOf)];
  const texts = (['utf8', 'latin1'] as const).map((encoding) => Buffer.from(credentials, 'base64').toString(encoding));
  return [value, credentials, ...texts, ...texts.map((text) => text.slice(text.indexOf(':') + 1))];
}

/** The value of `name=value`, with and without quotes; none where there is no name. */
function valueOf(pair: string): string[] {
  const equals = pair.indexOf('=');
  if (equals < 0) return [];
  const value = pair.slice(equals + 1).trim();
  return [value, value.replace(/^"(.*)"$/, '$1')];
}

/** A value as it is written in URLs, forms, JSON and HTML, and as it reads without its escapes. */
function spellingsOf(value: string): string[] {
  if (/^[\w.*-]+$/.test(value)) return [value];
  const inUtf8 = Buffer.from(value, 'latin1').toString('utf8');
  const read = [value, decoded(value) ?? value, unescaped(value), inUtf8].filter(({ length }) => length >= SHORTEST);
  return [...new Set(read)].flatMap((one) => [
    one,
    attempt(() => encodeURIComponent(one), one),
    new URLSearchParams({ v: one }).toString().slice(2),
    JSON.stringify(one).slice(1, -1),
    one.replace(/[&<>"']/g, (character) => HTML[character]!),
  ]);
}

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const unescaped = (written: string): string => decoded(written.replaceAll('+', ' ')) ?? written;
