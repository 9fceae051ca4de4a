/** Who may call what: the application asks for a key, a controller for a token, an operation for a role or nothing. */

import { type Authenticator, securityScheme } from '../../../src/extending.ts';
import { type Context, type Controller, noContent, ok, operation } from '../../../src/index.ts';
import { apiKeys, bearerTokens } from '../../../src/shelf/authentication/authentication.ts';

/** The key that every operation takes which does not ask for something else. */
export const keys = apiKeys({ 'a-key': { identity: 'a program' } }, { description: 'Is sent by mail' });
const queryKeys = apiKeys({ 'a-key': { identity: 'a link' } }, { name: 'QueryKey', in: 'query', parameter: 'key' });
const tokens = bearerTokens(
  { 'a-token': { identity: 'Anna' }, 'an-admin-token': { identity: 'Ada', roles: ['admin'] } },
  { description: 'Comes from the page for tokens' },
);
/** A scheme that the library describes and leaves to others to check. */
const passwords: Authenticator = {
  scheme: securityScheme('Password', { type: 'http', scheme: 'basic', description: 'A name and a password' }),
  challenge: () => 'Basic realm="api", charset="UTF-8"',
  authenticate({ headers: { authorization = '' } }) {
    if (!/^basic /i.test(authorization)) return { found: 'none' };
    const isValid = Buffer.from(authorization.slice(6), 'base64').toString() === 'anna:a password';
    return isValid ? { found: 'valid', identity: 'Anna' } : { found: 'invalid' };
  },
};
export const authenticators = [keys, queryKeys, tokens, passwords];

const get = (path: string, summary: string, identityOf: (context: Context) => string | undefined, more: object = {}) =>
  operation({
    method: 'GET',
    path,
    summary,
    responses: { 200: { description: 'Who asked', schema: { type: 'string' } } },
    handle: ({ context }) => ok(identityOf(context) ?? 'nobody'),
    ...more,
  });
const ofToken = (context: Context) => tokens.identity.find(context);
const ofKey = (context: Context) => keys.identity.find(context);
const ofLink = (context: Context) => queryKeys.identity.find(context);

export const secrets: Controller = {
  name: 'Secrets',
  path: 'api/secrets',
  security: [tokens],
  operations: [
    get('person', 'Tells whose token it is.', ofToken),
    get('either', 'Takes a token or a key.', (context) => ofToken(context) ?? ofKey(context), {
      security: [tokens, keys],
    }),
    get('link', 'Takes a key in the query.', ofLink, { security: [queryKeys] }),
    get('password', 'Takes a name and a password.', () => 'Anna', { security: [passwords.scheme] }),
    operation({
      method: 'DELETE',
      path: '',
      summary: 'Takes the token of an administrator.',
      security: [{ scheme: tokens, roles: ['admin'] }],
      responses: { 204: {}, 401: { description: 'If there is no token' }, 403: { description: 'If she is no admin' } },
      handle: () => noContent(),
    }),
    get('open', 'Asks for nothing.', () => 'anyone', { security: [] }),
  ],
};
