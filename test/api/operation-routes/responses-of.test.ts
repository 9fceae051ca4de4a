import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noContent } from '../../../src/api/operation/answers.ts';
import { operationOf } from '../../../src/api/operation/controller.ts';
import type { AnyOperation } from '../../../src/api/operation/operation.ts';
import { operation } from '../../../src/api/operation/operation.ts';
import { routesOf } from '../../../src/api/operation-routes/operation-routes.ts';
import { responsesOf } from '../../../src/api/operation-routes/responses-of.ts';

const handle = () => noContent();
const responsesFor = (declared: AnyOperation) =>
  responsesOf(operationOf(routesOf({ name: 'A', path: 'a', operations: [declared] })[0]!)!);

test('D69 no body → the responses that are declared', () => {
  const responses = { 204: {} };
  assert.deepEqual(responsesFor(operation({ method: 'GET', path: '', responses, handle })), responses);
});

test('D69 a body → 400, 413 and 415 too, with the headers of 415', () => {
  const derived = responsesFor(
    operation({ method: 'PATCH', path: '', body: { type: 'object' }, responses: { 204: {} }, handle }),
  );
  assert.deepEqual(Object.keys(derived), ['204', '400', '413', '415']);
  assert.deepEqual(Object.keys(derived[415]!.headers!), ['Accept', 'Accept-Patch', 'Accept-Encoding']);
});

test('D69 a declared 415 → its text, its headers and those that are derived', () => {
  const header = { type: 'string', description: 'More' } as const;
  const declared = { 204: {}, 415: { description: 'No JSON', headers: { 'X-More': header } } };
  const { 415: response } = responsesFor(
    operation({ method: 'PUT', path: '', body: { type: 'object' }, responses: declared, handle }),
  );
  assert.equal(response!.description, 'No JSON');
  assert.deepEqual(Object.keys(response!.headers!), ['Accept', 'Accept-Encoding', 'X-More']);
});
