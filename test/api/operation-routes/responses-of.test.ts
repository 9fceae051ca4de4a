import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noContent } from '../../../src/api/operation/answers.ts';
import { operationOf } from '../../../src/api/operation/controller.ts';
import type { AnyOperation } from '../../../src/api/operation/operation.ts';
import { operation } from '../../../src/api/operation/operation.ts';
import { OperationNames } from '../../../src/api/operation/operation-reference.ts';
import { routesOf } from '../../../src/api/operation-routes/operation-routes.ts';
import { responsesOf } from '../../../src/api/operation-routes/responses-of.ts';

const handle = () => noContent();
const names = new OperationNames(new Map());
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

test('D14 a response with a location → its header is declared; one that is declared stays', () => {
  const read = operation({ method: 'GET', path: '', responses: { 204: {} }, handle });
  const own = { type: 'string', description: 'Own', always: true } as const;
  const responses = { 201: { location: read }, 202: { location: read, headers: { location: own } }, 204: {} };
  const derived = responsesFor(operation({ method: 'PUT', path: '', responses, handle }));
  assert.equal(derived[201]!.headers!['Location']!.type, 'string');
  assert.deepEqual(derived[202]!.headers, { location: own });
  assert.deepEqual(derived[204], {});
});

const shared = (text: string, header: string) => ({
  description: text,
  headers: { [header]: { type: 'string' as const, description: text } },
});

test('D79 one status of a plugin, the controller and the operation → the nearest text, the headers of all', () => {
  const declared = operation({ method: 'GET', path: '', responses: { 204: {}, 429: shared('own', 'X-Own') }, handle });
  const { 429: response } = responsesOf({
    controller: { name: 'A', path: 'a', operations: [declared], responses: { 429: shared('controller', 'X-Both') } },
    operation: declared as never,
    id: 'A',
    names,
    pluginResponses: [{ 429: shared('plugin', 'x-both') }, { 429: shared('other plugin', 'X-Other') }],
  });
  assert.equal(response!.description, 'own');
  assert.deepEqual(Object.keys(response!.headers!).sort(), ['X-Both', 'X-Other', 'X-Own']);
  assert.equal(response!.headers!['X-Both']!.description, 'controller');
});

test('D79 a status without a text → the text of whom is farther from the operation', () => {
  const declared = operation({ method: 'GET', path: '', responses: { 204: {}, 429: {} }, handle });
  const responses = responsesOf({
    controller: { name: 'A', path: 'a', operations: [declared], responses: { 404: { description: 'gone' } } },
    operation: declared as never,
    id: 'A',
    names,
    pluginResponses: [{ 429: { description: 'plugin' }, 404: {} }],
  });
  assert.deepEqual(responses, { 204: {}, 404: { description: 'gone' }, 429: { description: 'plugin' } });
});
