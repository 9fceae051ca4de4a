/**
 * Checks bearer tokens (RFC 6750) and API keys for operations that declare `security` (D71).
 *
 * Only the SHA-256 of each secret is kept, and all of them are compared in constant time: how long an answer takes
 * tells nothing about a secret.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Plugin } from '../../core/application/plugin.ts';
import type { Context } from '../../core/message/context.ts';
import { type Slot, slot } from '../../core/message/slot.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import { hint } from '../../core/options/did-you-mean.ts';
import { isTexts } from '../../core/options/shape.ts';
import { authenticators } from '../../operations/operations.ts';
import {
  type Authenticator,
  type Credentials,
  type SecurityScheme,
  securityScheme,
} from '../../operations/security.ts';

/** Who holds a secret, and the roles that it gives. */
interface Holder<Identity> {
  readonly identity: Identity;
  readonly roles?: readonly string[] | undefined;
}

/** The holder of a secret, or none for a secret that is not valid. */
type Found<Identity> = Holder<Identity> | undefined | null | false;

/** The holders by secret, or a function that knows them. Any other result of the function is a 500. */
export type Secrets<Identity> =
  | Readonly<Record<string, Holder<Identity>>>
  | ((secret: string) => Found<Identity> | PromiseLike<Found<Identity>>);

/** An authenticator that also tells who sent a request. */
export interface SecretAuthenticator<Identity, Role extends string = string>
  extends Authenticator<Identity>,
    SecurityScheme<Role> {
  readonly scheme: SecurityScheme<Role>;
  /**
   * Who has shown valid credentials of this scheme to an operation, even one that then answers 403: an access log names
   * them too. It is set once the operation has checked them: its handler and its stages `get` it, others `find` it.
   */
  readonly identity: Slot<Identity>;
}

interface SchemeOptions<Role extends string> {
  /** The name in the documents. Two authenticators of an application have two names. */
  readonly name?: string | undefined;
  /** What the credentials are for, in a challenge: `api` unless given. */
  readonly realm?: string | undefined;
  /** Tells the readers of the documents where the credentials come from. */
  readonly description?: string | undefined;
  /** All roles that a holder can have and an operation may require. Default: any. */
  readonly roles?: readonly Role[] | undefined;
}

/**
 * Checks who calls operations that declare `security`. Its authenticators are schemes too: `security: [tokens]`.
 *
 *     const tokens = bearerTokens({ 'a long random text': { identity: 'Ann', roles: ['editor'] } });
 *     const { handler } = application([operations({ security: [tokens] }), authentication(tokens), todo()]);
 */
export const authentication = (...checked: readonly Authenticator<any>[]): Plugin => ({
  name: 'authentication',
  offers: [authenticators.of(checked)],
});

/**
 * Bearer tokens in `Authorization`. The default name of the scheme is `Bearer`. Throws a `TypeError` if the secrets are a
 * list, a map or a promise, if a secret is empty, if a holder has no identity, if its roles are not a list or not among
 * `roles`, and if the realm cannot be sent in a header. Throws what `securityScheme` throws.
 */
export function bearerTokens<Identity, const Role extends string = string>(
  tokens: Secrets<Identity>,
  options: SchemeOptions<Role> = {},
): SecretAuthenticator<Identity, Role> {
  assertOptions('check bearer tokens', options, ['name', 'realm', 'description', 'roles']);
  return authenticatorOf(tokens, { type: 'http', scheme: 'bearer' }, 'Bearer', options, (context) => {
    const [word = '', token = '', ...more] = (context.headers.authorization ?? '').split(/ +/);
    if (isRepeated(context, 'authorization')) return INVALID;
    if (word.toLowerCase() !== 'bearer') return undefined;
    return more.length === 0 ? token : INVALID;
  });
}

/**
 * API keys in a header, `X-API-Key` unless given, or in the query. The scheme is named `ApiKey` unless given. Throws as
 * `bearerTokens` does.
 */
export function apiKeys<Identity, const Role extends string = string>(
  keys: Secrets<Identity>,
  options: SchemeOptions<Role> & {
    readonly in?: 'header' | 'query' | undefined;
    readonly parameter?: string | undefined;
  } = {},
): SecretAuthenticator<Identity, Role> {
  assertOptions('check API keys', options, ['name', 'realm', 'description', 'roles', 'in', 'parameter']);
  const { in: place = 'header', parameter = 'X-API-Key' } = options;
  const header = String(parameter).toLowerCase();
  return authenticatorOf(keys, { type: 'apiKey', in: place, name: parameter }, 'ApiKey', options, (context) => {
    const sent = place === 'header' ? [context.headers[header] ?? []].flat() : context.query.getAll(parameter);
    const isOne = sent.length <= 1 && !(place === 'header' && isRepeated(context, header));
    return isOne ? sent[0] : INVALID;
  });
}

/** In place of a secret that is empty, malformed or repeated. It matches none. */
const INVALID = '';

/** Was a header sent in several lines? Node keeps one of them, or joins them. */
const isRepeated = ({ request: { rawHeaders } }: Context, header: string): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === header).length > 1;

/** The realm as a quoted string (RFC 9110 §5.6.4). */
function quotedRealm(realm: string): string {
  if (typeof realm !== 'string' || !/^[\x20-\x7e]*$/.test(realm))
    throw new TypeError(`Cannot challenge with the realm ${JSON.stringify(realm)}: write it in printable ASCII`);
  return `"${realm.replace(/["\\]/g, '\\$&')}"`;
}

/** `word` begins the challenge, and is the name of the scheme unless one is given. */
function authenticatorOf<Identity, Role extends string>(
  secrets: Secrets<Identity>,
  kind: SecurityScheme['kind'],
  word: 'Bearer' | 'ApiKey',
  { name = word, realm = 'api', description, roles: declared }: SchemeOptions<Role>,
  secretIn: (context: Context) => string | undefined,
): SecretAuthenticator<Identity, Role> {
  const scheme = securityScheme(name, { ...kind, ...(description && { description }) }, declared);
  const challenge = `${word} realm=${quotedRealm(realm)}`;
  const refusal = (fault: string): TypeError => new TypeError(`Cannot check the secrets of "${name}": ${fault}`);
  const holderOf = typeof secrets === 'function' ? secrets : comparedWith(secrets, declared, refusal);
  const identity = slot<Identity>(`the identity of "${name}"`);
  return {
    ...scheme,
    scheme,
    challenge: (error) => (error === undefined || word === 'ApiKey' ? challenge : `${challenge}, error="${error}"`),
    async authenticate(context): Promise<Credentials<Identity>> {
      const secret = secretIn(context);
      if (secret === undefined) return { found: 'none' };
      if (secret === INVALID) return { found: 'invalid' };
      const holder = await holderOf(secret);
      if (holder === undefined || holder === null || holder === false) return { found: 'invalid' };
      const fault = holderFault(holder);
      const remedy = "return { identity, roles: ['…'] }, or undefined for a secret that is not valid";
      if (fault !== undefined) throw refusal(`what their function returned ${fault}; ${remedy}`);
      const { identity: shown, roles = [] } = holder;
      identity.set(context, shown);
      return { found: 'valid', identity: shown, roles };
    },
    identity,
  };
}

/** What is wrong with a holder, in words that follow its name. A secret is never among them. */
function holderFault(holder: unknown): string | undefined {
  if (typeof holder !== 'object' || holder === null) return 'is no object';
  const { identity, roles = [] } = holder as Partial<Holder<unknown>>;
  if (identity === undefined) return 'has no identity';
  return isTexts(roles) ? undefined : 'has roles that are no list of texts';
}

/** Compares a secret with every known one, whichever is the right one. */
function comparedWith<Identity>(
  secrets: Readonly<Record<string, Holder<Identity>>>,
  declared: readonly string[] | undefined,
  refusal: (fault: string) => TypeError,
) {
  // A list would have the secrets 0, 1 and so on; a map or a promise would have none.
  if (Object.prototype.toString.call(secrets) !== '[object Object]')
    throw refusal("they are no object; give { '…': { identity } }, or a function of a secret");
  const known = Object.entries(secrets).map(([secret, holder], at) => {
    if (secret === '') throw refusal('one is empty; leave it out, or is a variable of the environment not set?');
    const fault = holderFault(holder);
    if (fault !== undefined) throw refusal(`holder ${at + 1} ${fault}; give { identity, roles: ['…'] }`);
    const unknown = declared && holder.roles?.find((role) => !declared.includes(role));
    if (unknown !== undefined)
      throw refusal(
        `holder ${at + 1} has the role "${unknown}"${hint(unknown, declared!)}; correct it, or add it to roles`,
      );
    return [digestOf(secret), holder] as const;
  });
  return (secret: string): Holder<Identity> | undefined => {
    const digest = digestOf(secret);
    let found: Holder<Identity> | undefined;
    for (const [one, holder] of known) if (timingSafeEqual(one, digest)) found = holder;
    return found;
  };
}

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
