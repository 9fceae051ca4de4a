/** Asks the whole service for the list, as one row of the negotiation accepts it. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { ask } from '../support/ask.ts';
import { assertCommonHeaders } from '../support/problem.ts';
import { NEGOTIATION, type NegotiationCase } from './negotiation.cases.ts';
import type { WholeServing } from './whole-serving.ts';

/** The rows, as `table` names them. */
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
