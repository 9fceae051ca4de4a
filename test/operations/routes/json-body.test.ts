import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpProblem } from '../../../src/core/message/problem.ts';
import { readJsonBody } from '../../../src/operations/routes/json-body.ts';
import { testContext } from '../../support/test-context.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const read = (body: string) =>
  readJsonBody(testContext('/', { method: 'POST', headers: JSON_TYPE, body }), (value, text) => ({
    value: [value, text],
  }));

const malformed: readonly (readonly [body: string, detail: string, because: string])[] = [
  ['{"a":1,}', 'The body is not valid JSON: see character 8', 'the place'],
  ['\ufeff{"a":1,}', 'The body is not valid JSON: see character 8', 'the place behind a byte order mark'],
  ['position 7', 'The body is not valid JSON', 'a body that speaks of a position itself'],
  ['x at position 7', 'The body is not valid JSON', 'in the words of the message'],
];
for (const [body, detail, because] of malformed) {
  test(`D3 – ${JSON.stringify(body)} → 400, "${detail}" (${because})`, async () => {
    const refused = await read(body).catch((error: unknown) => error);
    assert.ok(refused instanceof HttpProblem);
    assert.deepEqual([refused.status, refused.extra.errors], [400, [{ pointer: '', detail }]]);
  });
}

test('D3 – a byte order mark → skipped, also in the text that the value is judged with', async () => {
  assert.deepEqual(await read('\ufeff{"a":"\\u00e4é"}'), [{ a: 'äé' }, '{"a":"\\u00e4é"}']);
});
