/** Runs a row of the cases of this folder against a service, and checks the list afterwards. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { ask, type Question } from '../support/ask.ts';
import { assertCommonHeaders, assertParserProblem, assertProblem } from '../support/problem.ts';
import type { ItemCase } from './items.cases.ts';
import { NEGOTIATION, type NegotiationCase } from './negotiation.cases.ts';
import type { ValidationCase } from './validation.cases.ts';
import type { WholeServing } from './whole-serving.ts';

/** The members that the rows speak of, in both casings. */
const ITEM = { key: '', name: '', isComplete: false, Key: '', Name: '', IsComplete: false };

/** Returns only those members that the expectation has, so that a new member of the item breaks no row. */
function named(value: unknown, expected: unknown): object {
  if (Array.isArray(value)) return value.map((item, at) => named(item, (expected as readonly unknown[])[at] ?? {}));
  return Object.fromEntries(Object.entries(value as object).filter(([name]) => name in (expected as object)));
}

export async function checkItem(row: ItemCase, t: TestContext, serve: WholeServing): Promise<void> {
  const { port } = await serve(t, row.settings);
  const before = await ask(port, { target: '/api/todo' });
  const key = Object.values<string>(before.json()[0])[0]!;
  const { etag = '' } = (await ask(port, { target: `/api/todo/${key}` })).headers;
  const escaped = [...Buffer.from(key)].map((byte) => `%${byte.toString(16)}`).join('');
  const words: Readonly<Record<string, string>> = {
    '{key}': key,
    '{KEY}': key.toUpperCase(),
    '{%key}': escaped,
    '{%25key}': escaped.replaceAll('%', '%25'),
    '{etag}': etag,
    '{bare}': etag.replaceAll('"', ''),
    '{list}': before.headers['etag']!,
  };
  const filled = <Value>(value: Value): Value => {
    if (typeof value === 'string')
      return Object.entries(words).reduce(
        (text: string, [word, meaning]) => text.replaceAll(word, meaning),
        value,
      ) as Value;
    if (Array.isArray(value)) return value.map(filled) as Value;
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner)])) as Value;
  };

  const answer = await ask(port, filled<Question>(row.ask));
  assert.equal(answer.status, row.status, answer.text);
  assertCommonHeaders(answer);
  assert.equal(answer.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
  if (row.status >= 400) {
    assert.deepEqual(
      assertProblem(answer, row.status).errors?.map(({ pointer }) => pointer),
      row.pointers,
    );
    assert.equal(answer.headers['cache-control'], 'no-store');
  }

  const keys = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
  const text =
    row.status >= 400 ? answer.text : answer.text.replaceAll(keys, (found) => (found === key ? found : '{new}'));
  if (row.body !== undefined)
    assert.equal(JSON.stringify(named(JSON.parse(text), row.body)), JSON.stringify(filled(row.body)));
  else if (row.status === 204 || row.status === 304) assert.equal(text, '');
  if (row.body !== undefined) assert.equal(answer.headers['content-length'], String(answer.body.length));
  const createdKey = answer.headers['location']?.slice(-36) ?? '';
  for (const [name, value] of Object.entries(row.headers ?? {})) {
    assert.equal(answer.headers[name], value === null ? undefined : filled(value).replace('{new}', createdKey), name);
  }

  const after = await ask(port, { target: '/api/todo' });
  if (row.status === 201) {
    // The key of the reply is the key in Location, and its item has the text of the reply (4.1 rule 1).
    const found = await ask(port, { target: answer.headers['location']! });
    assert.equal(found.text, answer.text);
    assert.equal(found.headers['etag'], answer.headers['etag']);
  }
  if (row.list === undefined) {
    assert.equal(after.text, before.text, 'the list has changed');
    assert.equal(after.headers['etag'], before.headers['etag'], 'the ETag of the list has changed');
  } else {
    assert.deepEqual(
      after.json().map((item: object) => Object.values(named(item, ITEM)).slice(1)),
      row.list,
    );
    assert.notEqual(after.headers['etag'], before.headers['etag']);
  }
  if (row.status === 204 && row.ask.method !== 'DELETE') {
    const changed = await ask(port, { target: `/api/todo/${key}` });
    assert.notEqual(changed.headers['etag'], etag);
    // The reply to a PUT has an ETag only if the stored text is the sent text, byte for byte (D38).
    const { etag: answered = row.ask.method === 'PUT' ? changed.headers['etag'] : undefined } = answer.headers;
    assert.equal(answered, changed.headers['etag'], 'the ETag of the reply is the ETag of the item');
    if (row.tagged !== undefined)
      assert.equal(
        'etag' in answer.headers,
        row.tagged,
        'An ETag says that the sent body is the stored text, byte for byte',
      );
  }
}

/** The rows with the names that `table` needs. */
export const negotiationRows = NEGOTIATION.map((row) => ({
  ...row,
  question: `Accept: ${JSON.stringify(row.accept)}`,
  answer: `${row.gets}, ${row.because}`,
}));

export async function checkNegotiation(
  { accept, gets }: NegotiationCase,
  t: TestContext,
  serve: WholeServing,
): Promise<void> {
  const { port } = await serve(t);
  const answer = await ask(port, { target: '/api/todo', headers: accept === undefined ? {} : { Accept: accept } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-type'], gets);
  assert.equal(answer.headers['vary'], 'Accept');
  assert.equal(answer.json()[0].name, 'Item1');
  assertCommonHeaders(answer);
}

export async function checkValidation(row: ValidationCase, t: TestContext, serve: WholeServing): Promise<void> {
  // No bytes follow these requests, so the server need not wait for more.
  const { port } = await serve(t, { drainTimeout: 50 });
  const before = await ask(port, { target: '/api/todo' });
  // The server, not the client, closes the connection of a request that is refused early.
  const answer = await ask(port, row.ask);
  if (row.status >= 400 && !(typeof row.ask === 'object' && 'method' in row.ask && row.ask.method === 'HEAD')) {
    const { instance } = assertParserProblem(answer, row.status);
    assert.equal(instance === undefined, row.instance === null, 'only a problem of the parser has no instance');
    if (typeof row.instance === 'string') assert.equal(instance, row.instance);
    assert.equal(answer.headers['content-length'], String(answer.body.length));
    assert.equal(answer.headers['connection'], 'close');
  } else {
    assert.equal(answer.status, row.status, answer.text);
    assertCommonHeaders(answer);
  }
  for (const [name, value] of Object.entries(row.headers ?? {}))
    assert.equal(answer.headers[name], value ?? undefined, name);
  assert.equal((await ask(port, { target: '/api/todo' })).text, before.text, 'the list has changed');
}
