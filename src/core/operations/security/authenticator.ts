/** Declares who checks a security scheme: a plugin brings an authenticator for each scheme that it knows (D71). */
import type { Context } from '../../message/context.ts';
import type { SecurityScheme } from './security-scheme.ts';

/** What an authenticator finds in a request. */
export type Credentials<Identity> =
  | { readonly found: 'none' }
  | { readonly found: 'invalid' }
  | { readonly found: 'valid'; readonly identity: Identity; readonly roles?: readonly string[] };

/** Checks the credentials of one scheme. An application has one for each name of a scheme. */
export interface Authenticator<Identity = unknown> {
  readonly scheme: SecurityScheme;
  /**
   * The value of `WWW-Authenticate` in a 401; `error` is set where the credentials of this scheme are not valid (RFC
   * 6750 §3.1). For `Basic`, a browser asks its user itself before a page sees the 401.
   */
  challenge(error?: 'invalid_token'): string;
  /** A result of any other form is an error: the request is refused with 500. */
  authenticate(context: Context): Credentials<Identity> | PromiseLike<Credentials<Identity>>;
}
