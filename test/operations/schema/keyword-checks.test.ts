import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { noContent } from '../../../src/operations/operation/answers.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { assertSchema } from '../../../src/operations/schema/assert-schema.ts';
import { bodyValidator, checkValue } from '../../../src/operations/schema/judge.ts';
import { answerOf } from '../../support/answer-of.ts';
import { KEYWORD_CASES } from './keyword.cases.ts';

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 60);

for (const { clause, schema, valid, invalid } of KEYWORD_CASES) {
  const read = bodyValidator({ type: 'object', required: ['value'], properties: { value: schema } }, 'camelCase');
  const readText = (value: unknown) => {
    const text = JSON.stringify({ value });
    return read(JSON.parse(text), text);
  };

  test(`D68 ${clause} → is a schema that can be used`, () => assertSchema(schema, 'this test'));

  for (const value of valid) {
    test(`D68 ${clause} – ${shown(value)} → a value, in bodies and replies`, () => {
      assert.equal(readText(value).errors, undefined);
      assert.deepEqual(checkValue(value, schema, 'camelCase'), []);
    });
  }

  for (const [value, ...faults] of invalid) {
    test(`D68 ${clause} – ${shown(value)} → refused with every place`, async () => {
      const errors = faults.map(([pointer, detail]) => ({ pointer: `/value${pointer}`, detail }));
      assert.deepEqual(readText(value).errors, errors);
      assert.deepEqual((await asked(schema, value)).errors, errors, 'over HTTP');
      assert.notDeepEqual(checkValue(value, schema, 'camelCase'), []);
    });
  }
}

/** The problem that answers a request with this body. */
async function asked(schema: (typeof KEYWORD_CASES)[number]['schema'], value: unknown) {
  const put = operation({
    method: 'PUT',
    path: '',
    body: { type: 'object', required: ['value'], properties: { value: schema } },
    responses: { 204: {}, 400: {} },
    handle: () => noContent(),
  });
  const { handler } = application([
    { name: 'asked', routes: routesOf({ name: 'Asked', path: 'asked', operations: [put] }) },
  ]);
  const { status, body } = await answerOf(handler, {
    method: 'PUT',
    path: '/asked',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ value }),
  });
  assert.equal(status, 400);
  return JSON.parse(body) as { errors: unknown };
}
