/** Who may call what: the application asks for a key, a controller for a token, an operation for a role or nothing. */

import { type Authenticator, securityScheme } from '../../../src/extending.ts';
import { type Controller, noContent, ok, operation } from '../../../src/index.ts';
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

const responses = { 200: { description: 'Who asked', schema: { type: 'string' } } } as const;

export const secrets: Controller = {
  name: 'Secrets',
  path: 'api/secrets',
  security: [tokens],
  operations: [
    operation({
      method: 'GET',
      path: 'person',
      summary: 'Tells whose token it is.',
      responses,
      handle: ({ context }) => ok(tokens.identity.find(context) ?? 'nobody'),
    }),
    operation({
      method: 'GET',
      path: 'either',
      summary: 'Takes a token or a key.',
      security: [tokens, keys],
      responses,
      handle: ({ context }) => ok(tokens.identity.find(context) ?? keys.identity.find(context) ?? 'nobody'),
    }),
    operation({
      method: 'GET',
      path: 'link',
      summary: 'Takes a key in the query.',
      security: [queryKeys],
      responses,
      handle: ({ context }) => ok(queryKeys.identity.find(context) ?? 'nobody'),
    }),
    operation({
      method: 'GET',
      path: 'password',
      summary: 'Takes a name and a password.',
      security: [passwords.scheme],
      responses,
      handle: () => ok('Anna'),
    }),
    operation({
      method: 'DELETE',
      path: '',
      summary: 'Takes the token of an administrator.',
      security: [{ scheme: tokens, roles: ['admin'] }],
      responses: { 204: {}, 401: { description: 'If there is no token' }, 403: { description: 'If she is no admin' } },
      handle: () => noContent(),
    }),
    operation({
      method: 'GET',
      path: 'open',
      summary: 'Asks for nothing.',
      security: [],
      responses,
      handle: () => ok('anyone'),
    }),
  ],
};
