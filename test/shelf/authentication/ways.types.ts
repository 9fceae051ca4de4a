/** The identities of optional and combined credentials, and the roles that compile. */
import { ok, operation } from '../../../src/index.ts';
import { upgrade } from '../../../src/operations/upgrade.ts';
import { apiKeys, bearerTokens } from '../../../src/shelf/authentication/authentication.ts';

const session = apiKeys({ s1: { identity: { name: 'Ann' } } }, { in: 'cookie', roles: ['keeper', 'guest'] });
const keys = apiKeys({ k1: { identity: 7 } });
const tokens = bearerTokens({ t1: { identity: 'Cy' } });
const get = { method: 'GET', path: 'a', responses: { 200: { schema: { type: 'string' } } } } as const;

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const isOf =
  <Expected>() =>
  <Found>(_found: Found, _same: Same<Expected, Found>) =>
    ok('');

export const optional = operation({
  ...get,
  security: [session, {}],
  handle: ({ identity }) => isOf<{ name: string } | undefined>()(identity, true),
});
export const combined = operation({
  ...get,
  security: [{ all: [session, keys] }],
  handle: ({ identity }) => isOf<{ name: string }>()(identity, true),
});
export const combinedWithRoles = operation({
  ...get,
  security: [{ all: [{ scheme: keys }, { scheme: session, roles: ['keeper'] }] }, tokens, {}],
  handle: ({ identity }) => isOf<number | string | undefined>()(identity, true),
});
export const wrongRole = operation({
  ...get,
  // @ts-expect-error – The session has no such role.
  security: [{ all: [keys, { scheme: session, roles: ['keepr'] }] }],
  handle: () => ok(''),
});
export const talk = upgrade({
  path: 'talk',
  security: [session, {}],
  handle: ({ identity }) => isOf<{ name: string } | undefined>()(identity, true),
});
export const wrongRoleOfUpgrade = upgrade({
  path: 'talk',
  // @ts-expect-error – The session has no such role.
  security: [{ scheme: session, roles: ['keepr'] }],
  handle() {},
});
