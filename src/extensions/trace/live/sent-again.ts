/** Declares a request that the page sends again, and reads it. */

import { HttpProblem, schema } from '../../../index.ts';
import type { AskedRequest } from '../recording/recorded-service.ts';
import { sentHeaderFault } from '../recording/sent-header.ts';

/** The body of `POST /trace/send`. */
export const SENT_AGAIN = schema('SentAgain', {
  type: 'object',
  required: ['method', 'target'],
  properties: {
    method: { type: 'string' },
    target: { type: 'string' },
    headers: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'value'],
        properties: { name: { type: 'string' }, value: { type: 'string' } },
      },
    },
    body: { type: 'string' },
    order: { type: 'array', items: { type: 'integer' } },
    fresh: { type: 'boolean', default: false },
  },
});

/** What is sent. */
export interface SentAgain {
  readonly method: string;
  readonly target: string;
  readonly headers?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly body?: string | null;
  readonly order?: readonly number[] | null;
  /** Is the copy made anew before? */
  readonly fresh: boolean;
}

/** The client writes these itself. */
const OWN = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** The request to send. Throws an `HttpProblem` 400 for a method, a target and a header that cannot be sent. */
export function requestOf({ method, target, headers, body }: SentAgain): AskedRequest {
  if (!/^\/[!-~]*$/.test(target))
    throw new HttpProblem(400, 'The path and query has to begin with a slash and to be percent-encoded');
  if (!/^[a-z-]+$/i.test(method) || method.toUpperCase() === 'CONNECT')
    throw new HttpProblem(400, `The method ${JSON.stringify(method)} cannot be sent; take another`);
  const lines = Object.create(null) as Record<string, string[]>;
  for (const { name, value } of headers ?? []) {
    const fault = sentHeaderFault(name, value);
    if (fault !== undefined) throw new HttpProblem(400, `The header ${JSON.stringify(name)} cannot be sent: ${fault}`);
    if (!OWN.has(name.toLowerCase())) (lines[name.toLowerCase()] ??= []).push(value);
  }
  const hasBody = typeof body === 'string' && body !== '';
  return { method: method.toUpperCase(), path: target, headers: lines, ...(hasBody && { body }) };
}

/** The stages in the order of the request, which has each number once. Throws an `HttpProblem` 400 for any other. */
export function orderOf<Stage>({ order }: SentAgain, stages: readonly Stage[]): readonly Stage[] {
  if (order === undefined || order === null) return stages;
  if (order.length === stages.length && stages.every((_, number) => order.includes(number)))
    return order.map((number) => stages[number]!);
  throw new HttpProblem(400, `The order has to name each of the stages 0 to ${stages.length - 1} once`);
}
