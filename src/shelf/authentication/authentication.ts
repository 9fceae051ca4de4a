/**
 * Checks bearer tokens (RFC 6750) and API keys for operations that declare `security` (D71).
 *
 * If an object contains the secrets, the module stores only the SHA-256 of each secret, and compares all of them in
 * constant time. The time until a reply therefore reveals nothing about the secrets.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type Authenticator,
  assertOptions,
  authenticators,
  type Credentials,
  headerValues,
  quoted,
  type SecurityScheme,
  securityScheme,
} from '../../extending.ts';
import { answering, type Context, HttpProblem, type Plugin, type Slot, type Stage, slot } from '../../index.ts';

/** The client that a secret belongs to: its identity and its roles. */
interface Holder<Identity> {
  readonly identity: Identity;
  readonly roles?: readonly string[] | undefined;
}

/** The holder of a secret; undefined, null or false for an invalid secret. */
type Found<Identity> = Holder<Identity> | undefined | null | false;

/**
 * An object with the holder of each secret, or a function that returns the holder of a secret. For an invalid secret,
 * the function returns undefined, null or false. If it returns a value that is not a holder, the request gets a 500.
 */
export type Secrets<Identity> =
  | Readonly<Record<string, Holder<Identity>>>
  | ((secret: string) => Found<Identity> | PromiseLike<Found<Identity>>);

/** An authenticator that also provides the identity of the client. */
export interface SecretAuthenticator<Identity, Role extends string = string>
  extends Authenticator<Identity>,
    SecurityScheme<Role> {
  readonly scheme: SecurityScheme<Role>;
  /**
   * The slot with the identity of the client, if its credentials for this scheme are valid. The slot is set when the
   * credentials are checked. An access log can therefore write the identity, even if the reply is a 403. Use `get` in
   * the handler and in the stages of the operation, and `find` elsewhere.
   */
  readonly identity: Slot<Identity>;
}

interface SchemeOptions<Role extends string> {
  /** The name of the scheme in the description. Authenticators of the same application need different names. */
  readonly name?: string | undefined;
  /** A text in the description: how to get credentials. */
  readonly description?: string | undefined;
  /** All roles that a holder can have and that an operation can require. Default: any role. */
  readonly roles?: readonly Role[] | undefined;
}

/**
 * Returns the plugin that checks the credentials for operations that declare `security`. Give it the authenticators,
 * which you also list in declarations: `security: [tokens]`.
 *
 *     const tokens = bearerTokens({ 'a long random text': { identity: 'Ann', roles: ['editor'] } });
 *     const { handler } = application([operations({ security: [tokens] }), authentication(tokens), todo()]);
 */
export const authentication = (...checked: readonly Authenticator<any>[]): Plugin => ({
  name: 'authentication',
  offers: [authenticators.of(checked)],
});

/**
 * Returns an authenticator for bearer tokens in `Authorization`. The default name of the scheme is `Bearer`.
 *
 * Throws a `TypeError` if `tokens` is an array, a map or a promise; if a secret is empty; if a holder has no identity,
 * or has roles that are not an array or not among `roles`. Also throws the errors of `securityScheme`.
 */
export function bearerTokens<Identity, const Role extends string = string>(
  tokens: Secrets<Identity>,
  options: SchemeOptions<Role> = {},
): SecretAuthenticator<Identity, Role> {
  assertOptions('check bearer tokens', options, ['name', 'description', 'roles']);
  return authenticatorOf(tokens, { type: 'http', scheme: 'bearer' }, 'Bearer', options, (context) => {
    const [sent = '', ...further] = headerValues(context, 'authorization');
    if (further.length > 0) return INVALID;
    const [word = '', token = '', ...more] = sent.split(/ +/);
    if (word.toLowerCase() !== 'bearer') return undefined;
    return more.length === 0 ? token : INVALID;
  });
}

/**
 * Returns an authenticator for API keys in a header, in the query or in a cookie. The default parameter is the header
 * `X-API-Key` or the cookie `sid`; the default name of the scheme is `ApiKey` or `Session`. Throws the same errors as
 * `bearerTokens`.
 *
 * A browser adds a cookie to requests that other sites make it send. So a request with the cookie is refused with 403 if
 * it can change something and another site sent it. The check reads `Sec-Fetch-Site`, or `Origin` if the browser sends no
 * `Sec-Fetch-Site`. `origins` allows further sites, such as `https://app.example`.
 */
export function apiKeys<Identity, const Role extends string = string>(
  keys: Secrets<Identity>,
  options: SchemeOptions<Role> & {
    readonly in?: 'header' | 'query' | 'cookie' | undefined;
    readonly parameter?: string | undefined;
    readonly origins?: readonly string[] | undefined;
  } = {},
): SecretAuthenticator<Identity, Role> {
  assertOptions('check API keys', options, ['name', 'description', 'roles', 'in', 'parameter', 'origins']);
  const { in: place = 'header', origins = [] } = options;
  const isCookie = place === 'cookie';
  const assertOwn = originCheck('check API keys', origins);
  if (!isCookie && options.origins !== undefined)
    throw new TypeError("Cannot check API keys with origins: only those in a cookie have them; add in: 'cookie'");
  const { parameter = isCookie ? 'sid' : 'X-API-Key', name = isCookie ? 'Session' : 'ApiKey' } = options;
  const header = String(parameter).toLowerCase();
  const kind = { type: 'apiKey', in: place, name: parameter } as const;
  return authenticatorOf(keys, kind, isCookie ? 'Cookie' : 'ApiKey', { ...options, name }, (context) => {
    if (isCookie) {
      const id = context.cookies.get(parameter);
      if (id !== undefined) assertOwn(context);
      return id;
    }
    const sent = place === 'header' ? headerValues(context, header) : context.query.getAll(parameter);
    return sent.length <= 1 ? sent[0] : INVALID;
  });
}

/**
 * Returns a stage that refuses requests of other sites, as `apiKeys` does for a cookie. Use it for a login, because its
 * requests have no cookie yet. Throws a `TypeError` for a text that is not an origin.
 */
export function csrfProtection(options: { readonly origins?: readonly string[] | undefined } = {}): Stage {
  assertOptions('refuse requests of other sites', options, ['origins']);
  const assertOwn = originCheck('refuse requests of other sites', options.origins ?? []);
  const csrfProtection: Stage = (context, next) => {
    assertOwn(context);
    return next(context);
  };
  return answering(csrfProtection, { 403: { description: 'A page of another site sent the request' } });
}

/** Returns a function that throws an `HttpProblem`, 403, if another site may have sent a request that is not safe. */
function originCheck(attempt: string, origins: readonly string[]): (context: Context) => void {
  const wrong = Array.isArray(origins) ? origins.find((origin) => !isOrigin(origin)) : origins;
  if (wrong !== undefined)
    throw new TypeError(
      `Cannot ${attempt} with the origins ${quoted(wrong)}: give a list of origins such as https://app.example`,
    );
  return ({ method, headers, request }) => {
    // A WebSocket of another site begins with a GET.
    if ((method === 'GET' || method === 'HEAD') && headers.upgrade === undefined) return;
    const isTls = 'encrypted' in request.socket && request.socket.encrypted === true;
    if (isOfOwnPage(headers, isTls) || origins.includes(String(headers.origin))) return;
    throw new HttpProblem(403, 'A page of another site sent this request; its origin is not allowed');
  };
}

/** True for an origin as browsers send it: without a path, and in lower case. */
const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

/** True for a request that a page of the same origin, the user, or a program other than a browser has sent. */
function isOfOwnPage({ 'sec-fetch-site': site, origin, host }: Context['headers'], isTls: boolean): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  // Behind a proxy that ends TLS, the scheme of the page differs from that of the service.
  return origin === undefined || origin.replace(isTls ? /^https:\/\// : /^https?:\/\//, '') === host;
}

/** Replaces a malformed or repeated secret. It cannot equal a valid secret, because valid secrets are not empty. */
const INVALID = '';

/** Creates an authenticator. The challenge begins with `word`, which is also the default name of the scheme. */
function authenticatorOf<Identity, Role extends string>(
  secrets: Secrets<Identity>,
  kind: SecurityScheme['kind'],
  word: 'Bearer' | 'ApiKey' | 'Cookie',
  { name = word, description, roles: declared }: SchemeOptions<Role>,
  secretIn: (context: Context) => string | undefined,
): SecretAuthenticator<Identity, Role> {
  const scheme = securityScheme(name, { ...kind, ...(description && { description }) }, declared);
  const challenge = `${word} realm="api"`;
  const errorFor = (fault: string): TypeError => new TypeError(`Cannot check the secrets of "${name}": ${fault}`);
  const holderOf = typeof secrets === 'function' ? secrets : comparedWith(secrets, declared, errorFor);
  const identity = slot<Identity>(`the identity of "${name}"`);
  return {
    ...scheme,
    scheme,
    challenge: (error) => (error === undefined || word !== 'Bearer' ? challenge : `${challenge}, error="${error}"`),
    async authenticate(context): Promise<Credentials<Identity>> {
      const secret = secretIn(context);
      if (secret === undefined) return { found: 'none' };
      if (secret === INVALID) return { found: 'invalid' };
      const holder = await holderOf(secret);
      if (holder === undefined || holder === null || holder === false) return { found: 'invalid' };
      assertHolder(holder, 'the result of the function', declared, errorFor);
      const { identity: client, roles = [] } = holder;
      identity.set(context, client);
      return { found: 'valid', identity: client, roles };
    },
    identity,
  };
}

/** Throws an error for a value that is not a holder. Never quotes the secret. */
function assertHolder(
  holder: unknown,
  what: string,
  declared: readonly string[] | undefined,
  errorFor: (fault: string) => TypeError,
): void {
  const { identity, roles = [] }: Partial<Holder<unknown>> = Object(holder);
  if (identity === undefined || !Array.isArray(roles) || roles.some((role) => typeof role !== 'string'))
    throw errorFor(`${what} has no identity, or roles that are not strings; give { identity, roles: ['…'] }`);
  const unknown = declared && roles.find((role) => !declared.includes(role));
  if (unknown !== undefined)
    throw errorFor(
      `${what} has the role "${unknown}", which is not in ${JSON.stringify(declared)}; correct it, or add it to roles`,
    );
}

/** Returns a function that finds the holder of a secret. It compares all secrets, so it always takes the same time. */
function comparedWith<Identity>(
  secrets: Readonly<Record<string, Holder<Identity>>>,
  declared: readonly string[] | undefined,
  errorFor: (fault: string) => TypeError,
) {
  // The keys of an array would become the secrets "0", "1" and so on. A map or a promise would define no secret.
  if (Object.prototype.toString.call(secrets) !== '[object Object]')
    throw errorFor("they are not a plain object; give { '…': { identity } }, or a function of a secret");
  const known = Object.entries(secrets).map(([secret, holder], at) => {
    if (secret === '') throw errorFor('a secret is empty; remove it, or check that its environment variable is set');
    assertHolder(holder, `holder ${at + 1}`, declared, errorFor);
    return [digestOf(secret), holder] as const;
  });
  return (secret: string): Holder<Identity> | undefined => {
    const digest = digestOf(secret);
    let found: Holder<Identity> | undefined;
    for (const [expected, holder] of known) if (timingSafeEqual(expected, digest)) found = holder;
    return found;
  };
}

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
