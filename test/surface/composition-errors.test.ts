/** Mistakes in a declaration that compile: the composition refuses each of them, and says why. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IncompleteRoute } from '../../src/core/routing/composition.ts';
import { authenticators } from '../../src/extending.ts';
import { bearerTokens } from '../../src/extensions/authentication/authentication.ts';
import { application, controller, noContent, operation, routesOf } from '../../src/index.ts';

const rest = { method: 'GET', path: '', responses: { 204: {} }, handle: () => noContent() } as const;
const staff = bearerTokens({ a: { identity: 'Ada' } }, { roles: ['reader', 'keeper'] });
const security = [{ scheme: staff, roles: ['keepr'] }] as const;
const declared = (more: object) => () => operation({ ...rest, ...more });
const sent = (body: object) => declared({ method: 'POST', body: { type: 'object', ...body } });
const body = (property: object) => sent({ properties: { a: { type: 'string', ...property } } });
const answered = (response: object) => declared({ responses: { 204: {}, 200: response } });

const STATUS = /it is no status; give a number from 200 to 599/;
const ROLE = /it requires the role "keepr", and .* has "reader", "keeper".*did you mean keeper\?/;

const CASES: readonly (readonly [mistake: string, route: () => IncompleteRoute, says: RegExp])[] = [
  [
    'a keyword that nobody speaks',
    sent({ patternProperties: {} }),
    /has the keyword "patternProperties", which object does not have here; use one of .*additionalProperties/,
  ],
  [
    'a keyword that nobody speaks in a response',
    answered({ schema: { type: 'string', contentEncoding: 'base64' } }),
    /has the keyword "contentEncoding", which string does not have here/,
  ],
  [
    'a keyword that nobody speaks in a parameter',
    declared({ query: { a: { type: 'string', nullable: true } } }),
    /has the keyword "nullable", which string does not have here/,
  ],
  [
    'a name in required that is not a property',
    sent({ required: ['nope'], properties: {} }),
    /requires "nope", which is none of its properties/,
  ],
  ['a default of null where null is not a value', body({ default: null }), /has the default null/],
  ['a default that enum does not have', body({ enum: ['a'], default: 'b' }), /has the default "b", which/],
  [
    'a header that is sent several times',
    declared({ headers: { a: { type: 'array', collectionFormat: 'multi' } } }),
    /it has the collectionFormat "multi"; give one of csv/,
  ],
  [
    'a list in the path that is not written with commas',
    declared({ path: '{a}', parameters: { a: { type: 'array', collectionFormat: 'pipes' } } }),
    /it has the collectionFormat "pipes"; give one of csv/,
  ],
  [
    'an example of another type',
    answered({ schema: { type: 'integer' }, example: 'a' }),
    /it has an example, of which "" is not an integer/,
  ],
  [
    'a member of an example that the schema does not have',
    answered({ schema: { type: 'object', properties: {} }, example: { colour: '' } }),
    /it has an example, of which "\/colour" is not described/,
  ],
  ['a key that is not a status', declared({ responses: { 204: {}, default: {} } }), STATUS],
  ['a range of statuses', declared({ responses: { 204: {}, '2XX': {} } }), STATUS],
  ['a number that is not a status', declared({ responses: { 204: {}, 42: {} } }), STATUS],
  ['a role that the scheme does not declare', declared({ security }), ROLE],
  [
    'a role of a controller that the scheme does not declare',
    () => routesOf(controller({ name: 'A', path: 'a', security, operations: (below) => [below(rest)] }))[0]!,
    ROLE,
  ],
];

for (const [mistake, route, says] of CASES) {
  test(`surface – ${mistake} → it compiles, and the composition refuses it`, () => {
    assert.throws(() => application([{ name: 'test', offers: [authenticators.of([staff])], routes: [route()] }]), says);
  });
}
