/** Creates problems that operations return, and a problem format for clients that do not read RFC 9457. */
import type { Context } from '../../core/http/context.ts';
import { logOf, report } from '../../core/http/error-log.ts';
import { contentTypeOf, isJsonType } from '../../core/http/headers/content-type.ts';
import { flat } from '../../core/http/headers/header-lines.ts';
import {
  assertProblem,
  type Problem,
  type ProblemExtra,
  type ProblemWriter,
  problemWriter,
  type Violation,
} from '../../core/http/problem.ts';
import { assertHeaders, headerFault } from '../../core/http/reply.ts';
import type { Stage } from '../../core/pipeline/stage.ts';
import { type InferReply, PROBLEM, type Schema } from '../schema/schema.ts';
import type { Digit } from './operation.ts';
import type { Result } from './results.ts';

/** The status if it is an error status; else `never`. */
type ErrorStatus<Status extends number> = `${Status}` extends `${4 | 5}${Digit}${Digit}` ? Status : never;

/**
 * Returns a problem with any error status. `extra` has headers, `errors` and other members, which may replace `type`
 * and `title` (RFC 9457 §3.2). Throws a `RangeError` if the status is not between 400 and 599.
 *
 *     problem(409, 'The name is taken', { type: 'https://example.com/taken', headers: { 'Retry-After': '5' } })
 */
export function problem<const Status extends number>(
  status: Status & ErrorStatus<Status>,
  detail: string,
  extra?: ProblemExtra,
): Result<Status, never> {
  assertProblem(status, extra);
  return { status, problem: detail, extra };
}

/** Returns a 400 with the cause and, for an invalid body, its errors. */
export const badRequest = (detail: string, errors?: readonly Violation[]): Result<400, never> => ({
  status: 400,
  problem: detail,
  extra: errors && { errors },
});

/**
 * Returns a 404 with the cause.
 *
 *     const answer = (name?: string) => (name === undefined ? notFound('There is no such task') : ok({ name }));
 */
export const notFound = (detail: string): Result<404, never> => ({ status: 404, problem: detail });

/**
 * The format of all problems of an application. It does not change the status. If Node's parser refuses a request,
 * there is no context for `write`, so the problem has the format of RFC 9457 (D81).
 */
export interface ProblemFormat {
  /** The media type, such as `application/vnd.acme.error+json`. */
  readonly mediaType: string;
  /**
   * The schema of the body, for the OpenAPI 3.1 document. If the media type is not JSON, the schema must be a string.
   * The Swagger 2.0 document lists errors without a body (D14).
   */
  readonly schema: Schema;
  readonly write: (problem: Problem, context: Context) => unknown;
  /** Returns headers by name. A header that the problem already has is not replaced. */
  readonly headers?: ((problem: Problem, context: Context) => Readonly<Record<string, string>>) | undefined;
}

/**
 * Returns a format. `write` returns the body, which must match the schema. By default, media type and schema are those of
 * RFC 9457, for a format that changes only the texts. If the media type is not JSON, the body must be a string, which is
 * sent unchanged. If `write` or `headers` throws, or a header cannot be sent, the error is logged and the problem has the
 * format of RFC 9457.
 *
 *     operations({
 *       problems: problemFormat({
 *         mediaType: 'application/json',
 *         schema: schema('Failure', { type: 'object', properties: { error: { type: 'string' } } }),
 *         write: ({ detail }) => ({ error: detail }),
 *       }),
 *     });
 */
export const problemFormat = <const S extends Schema = typeof PROBLEM>({
  mediaType = RFC_9457.mediaType,
  schema,
  ...declaration
}: Pick<ProblemFormat, 'headers'> & {
  readonly mediaType?: string | undefined;
  readonly schema?: S | undefined;
  /** Without a schema, it may return the problem, whose other members clients ignore (RFC 9457 §3.2). */
  readonly write: (problem: Problem, context: Context) => InferReply<S> | (S extends typeof PROBLEM ? Problem : never);
}): ProblemFormat => ({ ...declaration, mediaType, schema: schema ?? RFC_9457.schema });

/** The media type and the schema of problems in the default format (RFC 9457). */
export const RFC_9457 = { mediaType: 'application/problem+json', schema: PROBLEM } as const;

/** Returns a stage after which the problems of the request have this format. Throws a `TypeError` for a wrong format. */
export function problemsIn({ mediaType, schema, write, headers }: ProblemFormat): Stage {
  const isMediaType = /^[\w.+-]+\/[\w.+-]+/.test(mediaType) && headerFault('Content-Type', mediaType) === undefined;
  const isJson = isMediaType && isJsonType(mediaType);
  if (!isJson && (!isMediaType || schema?.type !== 'string'))
    throw new TypeError(
      `Cannot write the problems of the application as ${JSON.stringify(mediaType)}: ${
        isMediaType
          ? "it is not a JSON media type, and its schema is not a string; give { type: 'string' } and write a string"
          : 'it is not a media type; give one such as application/json'
      }`,
    );
  const contentType = contentTypeOf(mediaType);
  const written: ProblemWriter = (problem, context) => {
    try {
      const value = write(problem, context);
      const body: unknown = isJson ? JSON.stringify(value) : value;
      if (typeof body !== 'string')
        throw new TypeError(`Cannot write the problem: "write" did not return a ${isJson ? 'JSON value' : 'string'}`);
      const lines = flat(headers?.(problem, context) ?? {});
      assertHeaders(lines);
      return { mediaType: contentType, body, headers: lines };
    } catch (error) {
      report(error, context, logOf(context));
      return undefined;
    }
  };
  return function problemsIn(context, next) {
    problemWriter.set(context, written);
    return next(context);
  };
}
