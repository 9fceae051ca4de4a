import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationOf } from '../../../src/operations/operation/controller.ts';
import type { AnyOperation } from '../../../src/operations/operation/operation.ts';
import { noContent } from '../../../src/operations/operation/results.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { responsesOf } from '../../../src/operations/routes/responses-of.ts';
import { bytes } from '../../../src/operations/uploads/upload.ts';
import { composedRoutes } from '../../support/composed-routes.ts';

const handle = () => noContent();
const responsesFor = (declared: AnyOperation) =>
  responsesOf(operationOf([...composedRoutes(routesOf({ name: 'A', path: 'a', operations: [declared] }))][0]!)!);

test('D69 no body → only the declared responses', () => {
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

const jsonFault = 'The body is absent, is not JSON or does not match its schema';
const parameterFault = 'parameter does not match its schema';
for (const [what, declared, text] of [
  ['a JSON body', { body: { type: 'object' } }, jsonFault],
  ['bytes', { body: bytes('image/png') }, 'The body is malformed, or a part of it does not match its declaration'],
  ['a query', { query: { page: { type: 'integer' } } }, `A ${parameterFault}`],
  ['both', { body: { type: 'object' }, query: {} }, `${jsonFault}, or a ${parameterFault}`],
  ['a limit in the path', { parameters: { id: { type: 'string', maxLength: 3 } } }, `A ${parameterFault}`],
  ['a text and an example in the path', { parameters: { id: { type: 'string', example: 'a' } } }, undefined],
] as const)
  test(`D14 ${what} → 400: ${text}`, () => {
    const made = { method: 'PUT', path: '{id}', responses: { 204: {} }, handle, ...declared } as AnyOperation;
    assert.equal(responsesFor(made)[400]?.description, text);
  });

test('D69 a declared 415 → its text, its headers and the derived headers', () => {
  const header = { type: 'string', description: 'More' } as const;
  const declared = { 204: {}, 415: { description: 'No JSON', headers: { 'X-More': header } } };
  const { 415: response } = responsesFor(
    operation({ method: 'PUT', path: '', body: { type: 'object' }, responses: declared, handle }),
  );
  assert.equal(response!.description, 'No JSON');
  assert.deepEqual(Object.keys(response!.headers!), ['Accept', 'Accept-Encoding', 'X-More']);
});

for (const [declared, header, description] of [
  [{}, 'Location', 'The URI of the resource that the response points to'],
  [{ location: { type: 'string', description: 'Mine' } }, 'location', 'Mine'],
] as const)
  test(`D66 a response with a location and the headers ${Object.keys(declared)} → ${header}: ${description}`, () => {
    const responses = { 201: { location: 'AGet', headers: declared }, 204: {} };
    const derived = responsesFor(operation({ method: 'GET', path: '', responses, handle }));
    assert.deepEqual(derived[201]!.headers, { [header]: { type: 'string', description } });
    assert.equal(derived[204]!.headers, undefined);
  });

const shared = (text: string, header: string) => ({
  description: text,
  headers: { [header]: { type: 'string' as const, description: text } },
});

/** The responses of an operation behind stages with these responses, the outermost first. */
const belowStages = (declared: unknown, ...stageResponses: readonly AnyOperation['responses'][]) =>
  responsesOf({
    controller: { name: 'A', path: 'a', operations: [declared as AnyOperation] },
    operation: declared as never,
    ...{ id: 'A', nameOf: () => undefined, naming: 'camelCase', isStrict: false, stageResponses },
  });

test('D79 one status of several stages and the operation → the nearest text, the headers of all', () => {
  const declared = operation({ method: 'GET', path: '', responses: { 204: {}, 429: shared('own', 'X-Own') }, handle });
  const { 429: response } = belowStages(
    declared,
    { 429: shared('plugin', 'x-both') },
    { 429: shared('other plugin', 'X-Other') },
    { 429: shared('controller', 'X-Both') },
  );
  assert.equal(response!.description, 'own');
  assert.deepEqual(Object.keys(response!.headers!).sort(), ['X-Both', 'X-Other', 'X-Own']);
  assert.equal(response!.headers!['X-Both']!.description, 'controller');
});

test('D79 a status without a text → the text of the next outer declaration', () => {
  const declared = operation({ method: 'GET', path: '', responses: { 204: {}, 429: {} }, handle });
  const plugin = { 429: { description: 'plugin' }, 404: {} };
  const responses = belowStages(declared, plugin, { 404: { description: 'gone' } });
  assert.deepEqual(responses, { 204: {}, 404: { description: 'gone' }, 429: { description: 'plugin' } });
});
