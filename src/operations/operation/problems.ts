/** Makes the problems that operations return, and the formats of problems for clients that do not read RFC 9457. */
import type { Context } from '../../core/message/context.ts';
import { logOf, report } from '../../core/message/error-log.ts';
import { contentTypeOf, isJsonType, preferredMediaType } from '../../core/message/headers/content-type.ts';
import { unwrittenReply } from '../../core/message/made-reply.ts';
import { assertErrorStatus, type Problem, type ProblemWriter, setProblemWriter } from '../../core/message/problem.ts';
import type { ProblemExtra, Reply, Violation } from '../../core/message/reply.ts';
import { headerFault } from '../../core/message/reply-fault.ts';
import type { Stage } from '../../core/pipeline/stage.ts';
import { type InferReply, PROBLEM, type Schema } from '../schema/schema.ts';

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
/** The status itself where it is one of an error. */
type ErrorStatus<Status extends number> = `${Status}` extends `${4 | 5}${Digit}${Digit}` ? Status : never;

/**
 * A problem of any error status. `extra` has headers, `errors`, and further members, which may replace its `type` and
 * `title` (RFC 9457 §3.2). Throws a `RangeError` for a status that is not 400 to 599.
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

/** 400 with the reason and, where a body is at fault, what is wrong in it. */
export const badRequest = (detail: string, errors?: readonly Violation[]): Reply<400, never> =>
  problem(400, detail, errors && { errors });

/**
 * 404 with the reason.
 *
 *     const answer = (name?: string) => (name === undefined ? notFound('There is no such task') : ok({ name }));
 */
export const notFound = (detail: string): Reply<404, never> => problem(404, detail);

/** How problems are written. Their status and their headers stay as they are. */
export interface ProblemFormat {
  /** `application/vnd.acme.error+json` for example. */
  readonly mediaType: string;
  /**
   * The schema of the body, for OpenAPI 3.1: that of a text unless the media type is one of JSON. Swagger 2.0 has no
   * body for an error (D14).
   */
  readonly schema: Schema;
  readonly write: (problem: Problem, context: Context) => unknown;
}

/** One format, or several, among which `Accept` chooses; the first where it names none of them. */
export type ProblemFormats = ProblemFormat | readonly ProblemFormat[];

/**
 * Makes a format. `write` returns the body, a value of the schema: a text is sent as it is unless the media type is one
 * of JSON. If `write` throws, the problem is written as RFC 9457 says, and the error is logged.
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

/** Problem details (RFC 9457), as problems are written unless something else is said; to be listed beside others. */
export const rfc9457: ProblemFormat = {
  mediaType: 'application/problem+json',
  schema: PROBLEM,
  write: (problem) => problem,
};

/** The formats as a list. */
export const formatsOf = (formats: ProblemFormats): readonly ProblemFormat[] =>
  Array.isArray(formats) ? formats : [formats as ProblemFormat];

/**
 * Writes problems in these formats. Throws a `TypeError` that names the `owner` for an empty list, for two formats of
 * one media type, for a media type that no header can carry, and for one without JSON whose schema is not that of a
 * text.
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
        throw new TypeError(
          `Cannot write the problem: what "write" returned is no ${isJson ? 'value of JSON' : 'text'}`,
        );
      return { mediaType, body, varies };
    } catch (error) {
      report(error, context, logOf(context));
      return undefined;
    }
  };
}

/** `offer` is what `Accept` is asked for. */
function writtenAs({ mediaType, schema }: ProblemFormat, owner: string) {
  const [offer] = /^[\w.+-]+\/[\w.+-]+/.exec(mediaType) ?? [];
  const isJson = isJsonType(mediaType);
  const fault =
    offer === undefined || headerFault('Content-Type', mediaType) !== undefined
      ? 'it is no media type; give one such as application/json'
      : !isJson && schema?.type !== 'string'
        ? "it is no media type of JSON, and its schema is none of a text; give { type: 'string' } and write a text"
        : undefined;
  if (fault !== undefined)
    throw new TypeError(`Cannot write the problems of ${owner} as ${JSON.stringify(mediaType)}: ${fault}`);
  return { offer: offer!.toLowerCase(), isJson, mediaType: contentTypeOf(mediaType) };
}

/** Makes the stage from which on `write` writes the problems of the request. */
export const problemsBy = (write: ProblemWriter): Stage =>
  function problemsBy(context, next) {
    setProblemWriter(context, write);
    return next(context);
  };
