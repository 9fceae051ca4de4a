/** Mistakes in a declaration that compile: the composition refuses each of them, and says why. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IncompleteRoute } from '../../src/core/routing/composition.ts';
import { authenticators } from '../../src/extending.ts';
import { bearerTokens } from '../../src/extensions/authentication/authentication.ts';
import { application, controller, noContent, ok, operation, routesOf, schema } from '../../src/index.ts';
import { filesIn, textOf } from '../house/source-files.ts';

const rest = { method: 'GET', path: '', responses: { 204: {} }, handle: () => noContent() } as const;
const staff = bearerTokens({ a: { identity: 'Ada' } }, { roles: ['reader', 'keeper'] });
const security = [{ scheme: staff, roles: ['keepr'] }] as const;
const body = (property: object) =>
  operation({
    ...rest,
    method: 'POST',
    body: schema('Bad', { type: 'object', properties: { a: { type: 'string', ...property } } }),
  });

const CASES: readonly (readonly [mistake: string, route: () => IncompleteRoute, says: RegExp])[] = [
  [
    'a keyword that nobody speaks',
    () => operation({ ...rest, method: 'POST', body: { type: 'object', patternProperties: {} } }),
    /has the keyword "patternProperties", which object does not have here; use one of .*additionalProperties/,
  ],
  [
    'a keyword that nobody speaks in a response',
    () =>
      operation({
        ...rest,
        responses: { 200: { schema: { type: 'string', contentEncoding: 'base64' } } },
        handle: () => ok(''),
      }),
    /has the keyword "contentEncoding", which string does not have here/,
  ],
  [
    'a keyword that nobody speaks in a parameter',
    () => operation({ ...rest, query: { a: { type: 'string', nullable: true } } }),
    /has the keyword "nullable", which string does not have here/,
  ],
  [
    'a name in required that is not a property',
    () => operation({ ...rest, method: 'POST', body: { type: 'object', required: ['nope'], properties: {} } }),
    /requires "nope", which is none of its properties/,
  ],
  ['a default of null where null is not a value', () => body({ default: null }), /has the default null/],
  ['a default that enum does not have', () => body({ enum: ['a'], default: 'b' }), /has the default "b", which/],
  [
    'a header that is sent several times',
    () => operation({ ...rest, headers: { a: { type: 'array', collectionFormat: 'multi' } } }),
    /it has the collectionFormat "multi"; give one of csv/,
  ],
  [
    'a list in the path that is not written with commas',
    () => operation({ ...rest, path: '{a}', parameters: { a: { type: 'array', collectionFormat: 'pipes' } } }),
    /it has the collectionFormat "pipes"; give one of csv/,
  ],
  [
    'an example of another type',
    () => operation({ ...rest, responses: { 204: {}, 200: { schema: { type: 'integer' }, example: 'a' } } }),
    /it has an example, of which "" is not an integer/,
  ],
  [
    'a member of an example that the schema does not have',
    () =>
      operation({
        ...rest,
        responses: { 204: {}, 200: { schema: { type: 'object', properties: {} }, example: { colour: '' } } },
      }),
    /it has an example, of which "\/colour" is not described/,
  ],
  ['a key that is not a status', () => operation({ ...rest, responses: { 204: {}, default: {} } }), STATUS()],
  ['a range of statuses', () => operation({ ...rest, responses: { 204: {}, '2XX': {} } }), STATUS()],
  ['a number that is not a status', () => operation({ ...rest, responses: { 204: {}, 42: {} } }), STATUS()],
  ['a role that the scheme does not declare', () => operation({ ...rest, security }), ROLE()],
  [
    'a role of a controller that the scheme does not declare',
    () => routesOf(controller({ name: 'A', path: 'a', security, operations: (below) => [below(rest)] }))[0]!,
    ROLE(),
  ],
];

function STATUS(): RegExp {
  return /it is no status; give a number from 200 to 599/;
}
function ROLE(): RegExp {
  return /it requires the role "keepr", and .* has "reader", "keeper".*did you mean keeper\?/;
}

for (const [mistake, route, says] of CASES) {
  test(`surface – ${mistake} → it compiles, and the composition refuses it`, () => {
    assert.throws(() => application([{ name: 'test', offers: [authenticators.of([staff])], routes: [route()] }]), says);
  });
}

test('surface – at least nine of ten mistakes do not compile', () => {
  const programs = filesIn('test').filter((path) => path.endsWith('.types.ts'));
  const refused = programs.flatMap((path) => textOf(path).match(/^ *\/\/ @ts-expect-error/gm) ?? []);
  assert.ok(refused.length >= 9 * CASES.length, `${refused.length} of ${refused.length + CASES.length}`);
});
