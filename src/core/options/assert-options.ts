/**
 * Refuses options that mean nothing. They may come from JavaScript that no compiler has checked, where a misspelt one
 * would be ignored: a `root` that is not seen opens the whole disk.
 */
import type { TlsOptions } from 'node:tls';
import { isObject } from '../log/thrown-value.ts';
import { didYouMean } from './did-you-mean.ts';

/** Does not compile where the list lacks a name, so that a new option is not refused. */
type Complete<Options, Known extends readonly string[]> =
  Exclude<keyof Options, Known[number]> extends never ? unknown : `${Exclude<keyof Options, Known[number]> & string}`[];

/**
 * Throws a `TypeError` for what is no object, and for a member that is not `known`. `attempt` is what cannot be done:
 * `serve`.
 */
export function assertOptions<Options extends object, const Known extends readonly (keyof Options & string)[]>(
  attempt: string,
  options: Options,
  known: Known & Complete<Options, Known>,
): void {
  assertNamed(attempt, options, known);
}

/** The same for names that no type lists. */
export function assertNamed(attempt: string, options: unknown, known: readonly string[]): void {
  assertObject(attempt, options, `{ ${known.join(', ')} }, or some of them`);
  const unknown = unknownName(options, known);
  if (unknown === undefined) return;
  const remedy = nameRemedy(unknown, known);
  throw new TypeError(`Cannot ${attempt} with the option ${quoted(unknown)}: it means nothing; ${remedy}`);
}

/** The remedy of an unknown name: the known name that is meant, and all of them. */
export function nameRemedy(unknown: string, known: readonly string[]): string {
  const meant = didYouMean(unknown, known);
  const list = known.join(', ');
  return meant === undefined ? `use one of ${list}` : `did you mean "${meant}"? Use one of ${list}`;
}

/** The name of the first unknown member; undefined if all are known. A member that is undefined counts as absent. */
export const unknownName = (given: object, known: readonly string[]): string | undefined =>
  Object.entries(given).find(([name, value]) => value !== undefined && !known.includes(name))?.[0];

/** Throws a `TypeError` for what is no object. `remedy` says what to give. */
function assertObject(attempt: string, options: unknown, remedy: string): asserts options is object {
  if (isObject(options) && !Array.isArray(options)) return;
  const isNothing = options === null || options === undefined;
  const kind = Array.isArray(options) ? 'a list' : isNothing ? 'nothing' : article(typeof options);
  throw new TypeError(`Cannot ${attempt} with ${kind} as its options: give an object, ${remedy}`);
}

/** Any of these is a certificate, gives one, or does without. */
const CERTIFICATES = ['cert', 'pfx', 'SNICallback', 'secureContext', 'pskCallback'];
const KEYS = ['key', 'privateKeyIdentifier'];
const TLS_REMEDY = "{ cert: readFileSync('cert.pem'), key: readFileSync('key.pem') } for example";

/** Throws a `TypeError` for TLS without a certificate, with which Node would listen and fail in each handshake. */
export function assertTls(tls: TlsOptions): void {
  assertObject('serve over TLS', tls, TLS_REMEDY);
  const given: Partial<Record<string, unknown>> = { ...tls };
  const has = (name: string): boolean => given[name] !== undefined;
  if (!CERTIFICATES.some(has)) throw new TypeError(`Cannot serve over TLS without a certificate: give ${TLS_REMEDY}`);
  if (has('cert') && !KEYS.some(has)) throw new TypeError(`Cannot serve over TLS without a key: give ${TLS_REMEDY}`);
  for (const name of ['cert', 'key'])
    if ([given[name]].flat().some((one) => typeof one === 'string' && !one.includes('-----BEGIN ')))
      throw new TypeError(
        `Cannot serve over TLS with this "${name}": it is not the text of a PEM file, which is wanted, and no path; ` +
          `give readFileSync('${name}.pem')`,
      );
}

/** The type with its article: `a string`, `an object`. */
export const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/** A value in quotes for an error message; a text is cut after 100 characters. */
export const quoted = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : `"${String(value)}"`;
