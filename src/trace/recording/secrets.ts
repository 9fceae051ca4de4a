/**
 * Hides what no trace shows: the values of `Authorization`, of cookies and of declared API keys, wherever they stand.
 *
 * A handler may write such a value into its reply or into an error. So the values that a request has are replaced in
 * every text of its recording, also where they are percent-encoded or stand in JSON.
 */
import type { RoutedOperation } from '../../api/operation/controller.ts';
import { requirementsOf } from '../../api/security/security-scheme.ts';
import { decoded } from '../../http/message/path.ts';

/** What stands in the place of a value. */
export const HIDDEN = '(hidden)';

/** A shorter value is a part of many texts. It is hidden in its own place alone. */
const SHORTEST = 4;

const HEADERS: readonly string[] = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie'];

/** The names of the headers and of the parameters of the query whose values are hidden, in lower case. */
export interface SecretNames {
  readonly headers: Set<string>;
  readonly query: Set<string>;
}

/** The names that are secret in every application. */
export const secretNames = (): SecretNames => ({ headers: new Set(HEADERS), query: new Set() });

/** Adds the API keys that an operation declares. */
export function addKeysOf({ security = [] }: Pick<RoutedOperation, 'security'>, names: SecretNames): void {
  for (const { scheme } of requirementsOf(security))
    if (scheme.kind.type === 'apiKey')
      names[scheme.kind.in === 'header' ? 'headers' : 'query'].add(lower(scheme.kind.name));
}

/** Hides the secrets of one request. */
export class Secrets {
  readonly #names: SecretNames;
  readonly #forms: readonly string[];

  /** `rawHeaders` and `target` are those of the request. */
  constructor(names: SecretNames, rawHeaders: readonly string[], target: string) {
    this.#names = names;
    const values: string[] = [];
    for (let at = 0; at < rawHeaders.length; at += 2)
      if (names.headers.has(lower(rawHeaders[at]!))) values.push(...partsOf(rawHeaders[at + 1]!));
    if (names.query.size > 0)
      for (const [name, value] of new URLSearchParams(queryOf(target)))
        if (names.query.has(lower(name))) values.push(value);
    const forms = values.flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]);
    this.#forms = [...new Set(forms)].filter(({ length }) => length >= SHORTEST).sort((a, b) => b.length - a.length);
  }

  /** The text without the values. */
  text(text: string): string {
    let shown = text;
    for (const form of this.#forms) shown = shown.replaceAll(form, HIDDEN);
    return shown;
  }

  /** The value of a header. */
  header(name: string, value: string): string {
    return this.#names.headers.has(lower(name)) ? HIDDEN : this.text(value);
  }

  /** A request target or a query. */
  target(target: string): string {
    const { query } = this.#names;
    if (query.size === 0) return this.text(target);
    return this.text(
      target.replace(/(^|[?&])([^=&#?]*)=([^&#]*)/g, (whole, start: string, name: string) =>
        query.has(lower(nameOf(name))) ? `${start}${name}=${HIDDEN}` : whole,
      ),
    );
  }
}

/** The value, and what of it is a secret alone: the credentials behind the scheme, a password, each cookie. */
function partsOf(value: string): string[] {
  const [, scheme, credentials = ''] = /^([\w-]+) +(.+)$/.exec(value) ?? [];
  const basic = scheme?.toLowerCase() === 'basic' ? Buffer.from(credentials, 'base64').toString('utf8') : '';
  const cookies = value.split(/; */).map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [value, credentials, basic, basic.slice(basic.indexOf(':') + 1), ...cookies];
}

const lower = (name: string): string => name.toLowerCase();
const nameOf = (written: string): string => decoded(written.replaceAll('+', ' ')) ?? written;
const queryOf = (target: string): string => target.slice(target.indexOf('?') + 1 || target.length);
