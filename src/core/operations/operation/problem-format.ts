/** Declares how an application writes its problems where RFC 9457 is not what its clients read (D81). */
import type { Context } from '../../message/context.ts';
import type { Problem } from '../../message/problem.ts';
import type { InferReply, Schema, Spoken } from '../schema/schema.ts';

/** How problems are written. Their status and their headers stay as they are. */
export interface ProblemFormat {
  /** A media type of JSON, `application/vnd.acme.error+json` for example. */
  readonly mediaType: string;
  /** The schema of the body, for OpenAPI 3.1. Swagger 2.0 has no body for an error (D14). */
  readonly schema: Schema;
  readonly write: (problem: Problem, context: Context) => unknown;
}

/**
 * Makes a format. `write` returns the body, a value of the schema. Where it throws, the problem is written as usual and
 * the error is logged.
 *
 *     application([todo()], {
 *       problems: problemFormat({
 *         mediaType: 'application/json',
 *         schema: schema('Failure', { type: 'object', properties: { error: { type: 'string' } } }),
 *         write: ({ detail }) => ({ error: detail }),
 *       }),
 *     });
 */
export const problemFormat = <const S extends Schema>(declaration: {
  readonly mediaType: string;
  readonly schema: S & Spoken<S>;
  readonly write: (problem: Problem, context: Context) => InferReply<S>;
}): ProblemFormat => declaration;
