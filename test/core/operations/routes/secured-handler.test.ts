import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../../src/core/application/application.ts';
import { ok } from '../../../../src/core/operations/operation/answers.ts';
import { operation } from '../../../../src/core/operations/operation/operation.ts';
import { type Authenticator, type Credentials, securityScheme } from '../../../../src/core/operations/security.ts';
import { inject } from '../../../../src/core/wire/in-memory.ts';
import { HttpService } from '../../../../src/core/wire/service.ts';

/** An authenticator as a user writes one. The challenge shows whether it was given an error. */
const own = (name: string, returned: unknown): Authenticator => ({
  scheme: securityScheme(name, { type: 'http', scheme: 'basic' }),
  challenge: (error) => `${name} error="${error ?? 'none'}"`,
  authenticate: () => returned as Credentials<unknown>,
});

/** Asks an operation that needs the role `admin` of one of these. */
async function ask(...authenticators: readonly Authenticator[]) {
  const errors: unknown[] = [];
  const get = operation({
    method: 'GET',
    path: '',
    security: authenticators.map(({ scheme }) => ({ scheme, roles: ['admin'] })),
    responses: { 200: { schema: { type: 'string' } } },
    handle: () => ok('in'),
  });
  const { handler } = application(
    [{ name: 'own', authenticators, controllers: [{ name: 'Own', path: 'own', operations: [get] }] }],
    { log: (error) => errors.push(error) },
  );
  const { status, headers } = await inject(new HttpService(handler).server, { path: '/own' });
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
    const app = application([{ name: 'own', authenticators: [authenticator], controllers }]);
    assert.equal((await app.request('/own')).status, status);
  });
