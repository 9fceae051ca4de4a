/** Asks the whole service one row of odd requests, and looks whether the list is what it was. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { ask } from '../support/ask.ts';
import { assertCommonHeaders, assertProblem } from '../support/problem.ts';
import type { ValidationCase } from './validation.cases.ts';
import type { WholeServing } from './whole-serving.ts';

export async function checkValidation(row: ValidationCase, t: TestContext, serve: WholeServing): Promise<void> {
  // Nothing comes behind these requests, so there is nothing to wait for.
  const { port } = await serve(t, { drainTimeout: 50 });
  const before = await ask(port, { target: '/api/todo' });
  // A request that is refused before it is whole is cut off by the server, not by its sender.
  const answer = await ask(port, row.ask);
  if (row.status >= 400 && !(typeof row.ask === 'object' && 'method' in row.ask && row.ask.method === 'HEAD')) {
    const { instance } = assertProblem(answer, row.status);
    if (row.instance !== undefined) assert.equal(instance, row.instance);
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
