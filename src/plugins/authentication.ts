/**
 * Checks bearer tokens (RFC 6750) and API keys for operations that declare `security` (D71).
 *
 * Only the SHA-256 of each secret is kept, and all of them are compared in constant time: how long an answer takes
 * tells nothing about a secret.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Authenticator, Credentials } from '../api/security/authenticator.ts';
import { type SecurityScheme, securityScheme } from '../api/security/security-scheme.ts';
import type { Plugin } from '../host/plugin.ts';
import { after } from '../http/message/after.ts';
import { Context } from '../http/message/context.ts';

/** Who holds a secret, and the roles that it gives. */
export interface Holder<Identity> {
  readonly identity: Identity;
  readonly roles?: readonly string[];
}

/** The holders by secret, or a function that knows them. It returns undefined for a secret that is not valid. */
export type Secrets<Identity> =
  | Readonly<Record<string, Holder<Identity>>>
  | ((secret: string) => Holder<Identity> | undefined | Promise<Holder<Identity> | undefined>);

/** An authenticator that also tells who sent a request. */
export interface SecretAuthenticator<Identity> extends Authenticator<Identity>, SecurityScheme {
  /** The identity behind a request that an operation has let pass; undefined for any other. */
  identityOf(context: Context): Identity | undefined;
}

/** The plugin. Its authenticators are schemes too: `security: [tokens]`. */
export const authentication = (...authenticators: readonly Authenticator<any>[]): Plugin => ({
  name: 'authentication',
  authenticators,
});

/** Bearer tokens in `Authorization`. The scheme is named `Bearer` unless given. */
export function bearerTokens<Identity>(
  tokens: Secrets<Identity>,
  { name = 'Bearer', realm = 'api' }: { readonly name?: string; readonly realm?: string } = {},
): SecretAuthenticator<Identity> {
  const scheme = securityScheme(name, { type: 'http', scheme: 'bearer' });
  return authenticatorOf(
    scheme,
    tokens,
    ({ headers }) => /^bearer +([^ ]+) *$/i.exec(headers.authorization ?? '')?.[1],
    (error) => `Bearer realm="${realm}"${error === undefined ? '' : `, error="${error}"`}`,
  );
}

/** API keys in a header, `X-API-Key` unless given, or in the query. The scheme is named `ApiKey` unless given. */
export function apiKeys<Identity>(
  keys: Secrets<Identity>,
  {
    name = 'ApiKey',
    realm = 'api',
    in: place = 'header',
    parameter = 'X-API-Key',
  }: {
    readonly name?: string;
    readonly realm?: string;
    readonly in?: 'header' | 'query';
    readonly parameter?: string;
  } = {},
): SecretAuthenticator<Identity> {
  const scheme = securityScheme(name, { type: 'apiKey', in: place, name: parameter });
  const header = parameter.toLowerCase();
  return authenticatorOf(
    scheme,
    keys,
    ({ headers, query }) => {
      const sent = place === 'header' ? headers[header] : (query.get(parameter) ?? undefined);
      return typeof sent === 'string' ? sent : undefined;
    },
    () => `ApiKey realm="${realm}"`,
  );
}

function authenticatorOf<Identity>(
  scheme: SecurityScheme,
  secrets: Secrets<Identity>,
  secretIn: (context: Context) => string | undefined,
  challenge: Authenticator['challenge'],
): SecretAuthenticator<Identity> {
  const holderOf = typeof secrets === 'function' ? secrets : comparedWith(secrets);
  const passed = new WeakMap<object, Identity>();
  return {
    ...scheme,
    scheme,
    challenge,
    authenticate(context) {
      const secret = secretIn(context);
      if (secret === undefined) return { found: 'none' };
      return after(holderOf(secret), (holder): Credentials<Identity> => {
        if (holder === undefined) return { found: 'invalid' };
        const state = Context.stateOf(context);
        if (state !== undefined) passed.set(state, holder.identity);
        return { found: 'valid', ...holder };
      });
    },
    identityOf(context) {
      const state = Context.stateOf(context);
      return state === undefined ? undefined : passed.get(state);
    },
  };
}

/** Compares a secret with every known one, whichever is the right one. */
function comparedWith<Identity>(secrets: Readonly<Record<string, Holder<Identity>>>) {
  const known = Object.entries(secrets).map(([secret, holder]) => [digestOf(secret), holder] as const);
  return (secret: string): Holder<Identity> | undefined => {
    const digest = digestOf(secret);
    let found: Holder<Identity> | undefined;
    for (const [one, holder] of known) if (timingSafeEqual(one, digest)) found = holder;
    return found;
  };
}

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
