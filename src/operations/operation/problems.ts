/** Creates problems that operations return, and problem formats for clients that do not read RFC 9457. */
import type { Context } from '../../core/message/context.ts';
import { logOf, report } from '../../core/message/error-log.ts';
import { unwrittenReply } from '../../core/message/frozen-reply.ts';
import { contentTypeOf, isJsonType, preferredMediaType } from '../../core/message/headers/content-type.ts';
import { assertErrorStatus, type Problem, type ProblemWriter, setProblemWriter } from '../../core/message/problem.ts';
import type { ProblemExtra, Reply, Violation } from '../../core/message/reply.ts';
import { headerFault } from '../../core/message/reply-fault.ts';
import type { Stage } from '../../core/pipeline/stage.ts';
import { type InferReply, PROBLEM, type Schema } from '../schema/schema.ts';

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
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
): Reply<Status, never> {
  assertErrorStatus(status);
  if (extra === undefined) return unwrittenReply(status, { problem: detail }) as Reply<Status, never>;
  const { headers, ...members } = extra;
  return unwrittenReply(status, { problem: detail, extra: members }, headers) as Reply<Status, never>;
}

/** Returns a 400 with the cause and, for an invalid body, its errors. */
export const badRequest = (detail: string, errors?: readonly Violation[]): Reply<400, never> =>
  problem(400, detail, errors && { errors });

/**
 * Returns a 404 with the cause.
 *
 *     const answer = (name?: string) => (name === undefined ? notFound('There is no such task') : ok({ name }));
 */
export const notFound = (detail: string): Reply<404, never> => problem(404, detail);

/**
 * A format of the problem's body. It does not change the status and the headers. If Node's parser refuses a request,
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
}

/**
 * One format, or a list from which `Accept` chooses. If the client accepts none of them, the first format is used. If
 * no route is matched, the formats of `operations(…)` apply (D107).
 */
export type ProblemFormats = ProblemFormat | readonly ProblemFormat[];

/**
 * Returns a format. `write` returns the body, which must match the schema. If the media type is not JSON, the body must
 * be a string, which is sent unchanged. If `write` throws, the error is logged and the problem has the format of RFC
 * 9457.
 *
 *     operations({
 *       problems: problemFormat({
 *         mediaType: 'application/json',
 *         schema: schema('Failure', { type: 'object', properties: { error: { type: 'string' } } }),
 *         write: ({ detail }) => ({ error: detail }),
 *       }),
 *     });
 */
export const problemFormat = <const S extends Schema>(declaration: {
  readonly mediaType: string;
  readonly schema: S;
  readonly write: (problem: Problem, context: Context) => InferReply<S>;
}): ProblemFormat => declaration;

/** The default format: problem details (RFC 9457). Use it in a list with other formats. */
export const rfc9457: ProblemFormat = {
  mediaType: 'application/problem+json',
  schema: PROBLEM,
  write: (problem) => problem,
};

/** Returns the formats as a list. */
export const formatsOf = (formats: ProblemFormats): readonly ProblemFormat[] =>
  Array.isArray(formats) ? formats : [formats as ProblemFormat];

/**
 * Returns a writer of problems in these formats. Throws a `TypeError` with the `owner` if the list is empty, two
 * formats have the same media type, or a media type is invalid. Also throws if a format is not JSON and its schema is
 * not a string.
 */
export function problemWriter(formats: ProblemFormats, owner: string): ProblemWriter {
  const all = formatsOf(formats).map((format) => ({ ...format, ...writtenAs(format, owner) }));
  const offered = all.map(({ offer }) => offer);
  const twice = offered.find((offer, at) => offered.indexOf(offer) !== at);
  const fault =
    all.length === 0
      ? 'the list has no format; leave it out'
      : twice && `two formats have the media type "${twice}"; leave one out`;
  if (fault !== undefined) throw new TypeError(`Cannot write the problems of ${owner}: ${fault}`);
  const varies = all.length > 1;
  return (problem, context) => {
    const { write, isJson, mediaType } = all[preferredMediaType(context.headers.accept, offered, 0)]!;
    try {
      const value = write(problem, context);
      const body: unknown = isJson ? JSON.stringify(value) : value;
      if (typeof body !== 'string')
        throw new TypeError(`Cannot write the problem: "write" did not return a ${isJson ? 'JSON value' : 'string'}`);
      return { mediaType, body, varies };
    } catch (error) {
      report(error, context, logOf(context));
      return undefined;
    }
  };
}

/**
 * Checks a format and parses its media type. `offer` is the media type without parameters, to compare with `Accept`.
 */
function writtenAs({ mediaType, schema }: ProblemFormat, owner: string) {
  const [offer] = /^[\w.+-]+\/[\w.+-]+/.exec(mediaType) ?? [];
  const isJson = isJsonType(mediaType);
  const fault =
    offer === undefined || headerFault('Content-Type', mediaType) !== undefined
      ? 'it is not a media type; give one such as application/json'
      : !isJson && schema?.type !== 'string'
        ? "it is not a JSON media type, and its schema is not a string; give { type: 'string' } and write a string"
        : undefined;
  if (fault !== undefined)
    throw new TypeError(`Cannot write the problems of ${owner} as ${JSON.stringify(mediaType)}: ${fault}`);
  return { offer: offer!.toLowerCase(), isJson, mediaType: contentTypeOf(mediaType) };
}

/** Returns a stage that sets the writer of problems for the request. */
export const problemsBy = (write: ProblemWriter): Stage =>
  function problemsBy(context, next) {
    setProblemWriter(context, write);
    return next(context);
  };
