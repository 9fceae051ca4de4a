/** Mistakes in a declaration that compile. The composition throws for each of them and gives the reason. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IncompleteRoute } from '../../src/core/routing/composition.ts';
import { authenticators } from '../../src/extending.ts';
import { application, controller, noContent, operation, routesOf } from '../../src/index.ts';
import { bearerTokens } from '../../src/shelf/authentication/authentication.ts';

const rest = { method: 'GET', path: '', responses: { 204: {} }, handle: () => noContent() } as const;
const staff = bearerTokens({ a: { identity: 'Ada' } }, { roles: ['reader', 'keeper'] });
const security = [{ scheme: staff, roles: ['keepr'] }] as const;
const declared = (more: object) => () => operation({ ...rest, ...more });
const sent = (body: object) => declared({ method: 'POST', body: { type: 'object', ...body } });
const body = (property: object) => sent({ properties: { a: { type: 'string', ...property } } });
const answered = (response: object) => declared({ responses: { 204: {}, 200: response } });

const STATUS = /it is not a status; use a number from 200 to 599/;
const ROLE = /it requires the role "keepr", and .* has "reader", "keeper".*did you mean keeper\?/;

const CASES: readonly (readonly [mistake: string, route: () => IncompleteRoute, says: RegExp])[] = [
  [
    'an unknown keyword',
    sent({ patternProperties: {} }),
    /has the keyword "patternProperties", which object does not have here; use one of .*additionalProperties/,
  ],
  [
    'an unknown keyword in a response',
    answered({ schema: { type: 'string', contentEncoding: 'base64' } }),
    /has the keyword "contentEncoding", which string does not have here/,
  ],
  [
    'an unknown keyword in a parameter',
    declared({ query: { a: { type: 'string', nullable: true } } }),
    /has the keyword "nullable", which string does not have here/,
  ],
  [
    'a name in required that is not a property',
    sent({ required: ['nope'], properties: {} }),
    /requires "nope", which is not one of its properties/,
  ],
  ['a default of null where null is not a value', body({ default: null }), /has the default null/],
  ['a default that enum does not have', body({ enum: ['a'], default: 'b' }), /has the default "b", which/],
  [
    'a header that is sent several times',
    declared({ headers: { a: { type: 'array', collectionFormat: 'multi' } } }),
    /it has the collectionFormat "multi"; use one of csv/,
  ],
  [
    'a list in the path without commas',
    declared({ path: '{a}', parameters: { a: { type: 'array', collectionFormat: 'pipes' } } }),
    /it has the collectionFormat "pipes"; use one of csv/,
  ],
  [
    'an example of another type',
    answered({ schema: { type: 'integer' }, example: 'a' }),
    /its example is wrong: "" is not an integer/,
  ],
  [
    'an example with a member that the schema does not have',
    answered({ schema: { type: 'object', properties: {} }, example: { colour: '' } }),
    /its example is wrong: "\/colour" is not described/,
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
  test(`surface – ${mistake} → compiles, but the composition throws`, () => {
    assert.throws(() => application([{ name: 'test', offers: [authenticators.of([staff])], routes: [route()] }]), says);
  });
}
