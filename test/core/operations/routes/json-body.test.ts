import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpProblem } from '../../../../src/core/message/problem.ts';
import { readJsonBody } from '../../../../src/core/operations/routes/json-body.ts';
import { testContext } from '../../../support/test-context.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const read = (body: string) =>
  readJsonBody(
    testContext('/', { method: 'POST', headers: JSON_TYPE, body }),
    (value, text) => ({ value: [value, text] }),
    (value, text) => [...value, text],
  );

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

for (const [body, text] of [
  ['{}', '{}'],
  ['\ufeff{}', '\ufeff{}'],
  [' {"a":"\\u00e4é"} ', ' {"a":"\\u00e4é"} '],
] as const) {
  test(`D38 – ${JSON.stringify(body)} → the operation is given the text as it was sent`, async () => {
    const [value, json, sent] = await read(body);
    assert.deepEqual(value, JSON.parse(body.replace('\ufeff', '')));
    assert.equal(sent, text);
    assert.equal(json, text.replace('\ufeff', ''), 'the reader is given JSON');
  });
}
