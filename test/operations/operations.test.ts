/** The options of all operations, and the authenticators that plugins offer (D71, D102). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../src/core/application/application.ts';
import { mounted } from '../../src/core/application/mounted.ts';
import type { Plugin } from '../../src/core/application/plugin.ts';
import type { IncompleteRoute } from '../../src/core/routing/composition.ts';
import { ok } from '../../src/operations/operation/results.ts';
import { authenticators, operations } from '../../src/operations/operations.ts';
import { operation, routesOf } from '../../src/operations/routes/operation-routes.ts';
import { type Authenticator, securityScheme } from '../../src/operations/security.ts';
import { read } from '../support/plain-routes.ts';

const staff = securityScheme('Staff', { type: 'apiKey', in: 'header', name: 'X-Staff' });
const checking = (answers: number): Authenticator => ({
  scheme: staff,
  challenge: () => `Staff ${answers}`,
  authenticate: () => ({ found: 'none' }),
});
const first = checking(1);
const offering = (name: string, value: unknown): Plugin => ({ name, offers: [authenticators.of(value as never)] });

const reading: Plugin = {
  name: 'read',
  routes: [
    operation({
      method: 'GET',
      path: 'read',
      responses: { 200: { schema: { type: 'object', properties: { isDone: { type: 'boolean' } } } } },
      handle: () => ok({ isDone: true }),
    }),
  ],
};
const empty: Plugin = { name: 'empty', routes: [read('empty')] };
const problems = {
  mediaType: 'text/plain',
  schema: { type: 'string' },
  write: ({ status }: { readonly status: number }) => `own ${status}`,
} as const;

for (const [what, options, target, status, body] of [
  ['no option', {}, 'read?x=1', 200, '{"isDone":true}'],
  ['D1 naming', { naming: 'PascalCase' }, 'read', 200, '{"IsDone":true}'],
  ['D102 strictQuery', { strictQuery: true }, 'read?x=1', 400, /"x"/],
  ['D71 security', { security: [staff] }, 'read', 401, /needs credentials/],
  ['D81 problems', { problems, security: [staff] }, 'read', 401, 'own 401'],
] as const)
  for (const [place, plugin, prefix] of [
    ['', reading, '/'],
    [' of a mounted plugin', mounted('tools', reading), '/tools/'],
  ] as const)
    test(`${what} of all operations → applies to an operation${place}`, async () => {
      const app = application([operations(options), offering('staff', [first]), plugin]);
      const reply = await app.request(prefix + target);
      const text = await reply.text();
      assert.equal(reply.status, status, text);
      if (typeof body === 'string') assert.equal(text, body);
      else assert.match(text, body);
    });

for (const [what, options, says] of [
  [
    'D71 securty',
    { securty: [] },
    /^Cannot set the options of operations with the option "securty": .*did you mean "security"\?/,
  ],
  ['a number', 5, /^Cannot set the options of operations with a number as its options/],
] as const)
  test(`${what} as options of all operations → throws immediately`, () =>
    assert.throws(() => operations(options as never), { name: 'TypeError', message: says }));

const twice = { ...operations({}), name: 'again' };
for (const [what, plugins, named] of [
  ['given twice', [operations({}), twice, empty], 'again'],
  ['of a mounted plugin', [mounted('tools', operations({})), empty], 'tools/operations'],
] as const)
  test(`plugins – options of all operations ${what} → throws with the name of the plugin`, () =>
    assert.throws(() => application(plugins), {
      name: 'PluginError',
      message: `Cannot add the plugin "${named}": it sets the options of all operations; use operations(…) once, and directly in application([…])`,
    }));

const LIST = /: they are not a list of authenticators; give a list of objects \{ scheme, challenge, authenticate \}$/;
for (const [what, plugins, says] of [
  [
    'of one name of two plugins',
    [offering('a', [first]), offering('b', [checking(2)])],
    /^Cannot add the authenticators of the plugin "b": two authenticators check a security scheme named "Staff"; give/,
  ],
  [
    'of one name of one plugin',
    [offering('a', [first, checking(2)])],
    /^Cannot add the authenticators of the plugin "a": two/,
  ],
  ['without a list', [offering('a', first)], LIST],
  ['that are a text', [offering('a', 'Staff')], LIST],
  ['that are nothing', [offering('a', undefined)], LIST],
  ['that are schemes', [offering('a', [staff])], LIST],
] as const)
  test(`D71 authenticators ${what} → throws with the name of the plugin`, () =>
    assert.throws(() => application([...plugins, empty]), { name: 'PluginError', message: says }));

test('D71 one authenticator of a plugin that is mounted twice → is valid', () => {
  application([offering('a', [first]), offering('b', [first]), empty]);
});

const own = (name: string, id: string, path = name): Plugin => ({ name, routes: [read(path, { id })] });
for (const [what, plugins, says] of [
  [
    'D15 one operationId',
    [own('a', 'same'), own('b', 'same')],
    /"b": Cannot describe "GET a" and "GET b": both have the operationId "same"/,
  ],
  [
    'D14 one path',
    [own('a', 'x', 'n/{k}'), own('b', 'y', 'n/{l}')],
    /"b": Cannot describe "GET n\/\{k\}" and .*: both are "GET \/n\/\{\}"/,
  ],
] as const)
  test(`${what} of two plugins → throws with both routes and the second plugin`, () =>
    assert.throws(() => application(plugins), { name: 'PluginError', message: says }));

test('D15 one plugin in two applications → composed twice', () => {
  const plugin = own('a', 'same');
  assert.deepEqual(
    [application([plugin]), application([plugin])].map(({ routes }) => [...routes].length),
    [1, 1],
  );
});

const open = read('open');
const [ofController] = routesOf({ name: 'Open', path: '', operations: [open] });
const COPIES: readonly (readonly [what: string, copy: object, member: string])[] = [
  ['an operation with a security', { ...open, security: [first] }, 'security'],
  ['an operation with another path', { ...open, path: 'b' }, 'path'],
  ['the route of a controller with stages', { ...ofController!, stages: [] }, 'stages'],
];
for (const [what, copy, member] of COPIES)
  test(`operations – a copy of ${what}without a new declaration → throws with the remedy`, () => {
    const reason = `a copy of the operation has another "${member}"; declare the copy too, as operation({ ...copied, ${member} })`;
    assert.throws(() => application([offering('a', [first]), { name: 'b', routes: [copy as IncompleteRoute] }]), {
      name: 'PluginError',
      message: `Cannot add the routes of the plugin "b": Cannot declare "GET open": ${reason}`,
    });
  });

test('operations – a copy with a new declaration → its security applies', async () => {
  const guarded = operation({ ...open, path: 'guarded', security: [first] });
  const app = application([offering('a', [first]), { name: 'b', routes: [open, guarded] }]);
  assert.equal((await app.request('/open')).status, 204);
  assert.equal((await app.request('/guarded')).status, 401);
});
