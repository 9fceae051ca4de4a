import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { ok } from '../../../src/operations/operation/answers.ts';
import { authenticators } from '../../../src/operations/operations.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { type Authenticator, type Credentials, securityScheme } from '../../../src/operations/security.ts';
import { answerOf } from '../../support/answer-of.ts';

/** An authenticator as a user writes one. The challenge shows whether it was given an error. */
const own = (name: string, returned: unknown): Authenticator => ({
  scheme: securityScheme(name, { type: 'http', scheme: 'basic' }),
  challenge: (error) => `${name} error="${error ?? 'none'}"`,
  authenticate: () => returned as Credentials<unknown>,
});

/** Asks an operation that needs the role `admin` of one of these. */
async function ask(...own: readonly Authenticator[]) {
  const errors: unknown[] = [];
  const get = operation({
    method: 'GET',
    path: '',
    security: own.map(({ scheme }) => ({ scheme, roles: ['admin'] })),
    responses: { 200: { schema: { type: 'string' } } },
    handle: () => ok('in'),
  });
  const { handler } = application(
    [
      {
        name: 'own',
        offers: [authenticators.of(own)],
        routes: routesOf({ name: 'Own', path: 'own', operations: [get] }),
      },
    ],
    { log: (error) => errors.push(error) },
  );
  const { status, headers } = await answerOf(handler, { path: '/own' });
  return { status, challenge: headers['www-authenticate'], errors };
}

const VALID = { found: 'valid', identity: 'Ann', roles: ['admin'] };
for (const [clause, returned, status] of [
  ['valid', VALID, 200],
  ['a promise of it', Promise.resolve(VALID), 200],
  ['a thenable of it', { then: (done: (value: unknown) => void) => done(VALID) }, 200],
  ['a thenable of invalid', { then: (done: (value: unknown) => void) => done({ found: 'invalid' }) }, 401],
  ['another word', { ...VALID, found: 'Valid' }, 500],
  ['nothing', undefined, 500],
  ['roles in a text', { ...VALID, roles: 'non-admin' }, 500],
  ['another role', { ...VALID, roles: ['non-admin'] }, 403],
] as const)
  test(`D71 an authenticator returns ${clause} → ${status}`, async () => {
    const { status: answered, errors } = await ask(own('A', returned));
    assert.deepEqual([answered, errors.length], [status, status === 500 ? 1 : 0]);
  });

test('RFC 6750 §3.1 one of two schemes has invalid credentials → error in its challenge only', async () => {
  const { status, challenge } = await ask(own('A', { found: 'none' }), own('B', { found: 'invalid' }));
  assert.deepEqual([status, challenge], [401, 'A error="none", B error="invalid_token"']);
});

for (const [isPublic, status] of [
  [true, 200],
  [false, 401],
] as const)
  test(`D71 an operation with public: ${isPublic} below a controller with security → ${status}`, async () => {
    const authenticator = own('A', { found: 'none' });
    const get = operation({
      method: 'GET',
      path: '',
      public: isPublic,
      responses: { 200: { schema: { type: 'string' } } },
      handle: () => ok('in'),
    });
    const controllers = [{ name: 'Own', path: 'own', security: [authenticator], operations: [get] }];
    const app = application([
      { name: 'own', offers: [authenticators.of([authenticator])], routes: routesOf(...controllers) },
    ]);
    assert.equal((await app.request('/own')).status, status);
  });

const named = (name: string, found: Credentials<unknown>['found'], identity = name): Authenticator =>
  own(name, { found, identity, roles: identity === 'Eve' ? [] : ['admin'] });
for (const [clause, ways, members, answer] of [
  ['one way', [named('A', 'valid')], {}, 'A'],
  ['the second of two ways', [named('A', 'invalid'), named('B', 'valid')], {}, 'B'],
  ['two ways', [named('A', 'valid'), named('B', 'valid')], {}, 'A'],
  ['a way whose roles are missing, and another', [named('A', 'valid', 'Eve'), named('B', 'valid')], {}, 'B'],
  ['a way that is answered later', [own('A', Promise.resolve(VALID))], {}, 'Ann'],
  ['a way, though the operation is public', [named('A', 'valid')], { public: true }, undefined],
  ['a way, though the operation requires nothing', [named('A', 'valid')], { security: [] }, undefined],
] as const)
  test(`D71 ${clause} → the identity is ${answer ?? 'an error that says why there is none'}`, async () => {
    const errors: unknown[] = [];
    const get = operation({
      method: 'GET',
      path: '',
      ...members,
      responses: { 200: { schema: { type: 'string' } } },
      handle: ({ identity }) => ok(identity as string),
    });
    const security = ways.map(({ scheme }) => ({ scheme, roles: ['admin'] }));
    const controllers = [{ name: 'Own', path: 'own', security, operations: [get] }];
    const app = application([{ name: 'own', offers: [authenticators.of(ways)], routes: routesOf(...controllers) }], {
      log: (error) => errors.push(error),
    });
    const reply = await app.request('/own');
    if (answer !== undefined) assert.deepEqual([reply.status, await reply.json()], [200, answer]);
    else assert.match(String(errors[0]), /^Error: Cannot tell who calls "OwnGet": it requires no credentials; give it/);
  });
