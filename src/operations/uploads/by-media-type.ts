/** Matches media types with ranges, and declares a body whose kind depends on its media type (D74). */

import type { Context } from '../../core/http/context.ts';
import { type ContentType, isInRanges, parseContentType } from '../../core/http/headers/content-type.ts';
import { noBody } from '../../core/http/request-body.ts';
import { type BodyHandling, isOwnBody, kindsOf, type OwnBody, ownBody } from '../operation/own-body.ts';
import { assertBody } from '../routes/assert-declaration.ts';
import { announcesBody, bodyReader, isJson, refusedMediaType } from '../routes/json-body.ts';
import type { InferBody, Schema } from '../schema/schema.ts';

/** A media type such as `image/png`, or a range such as `image/*`. */
export type MediaRange = `${string}/${string}`;

const RANGE = /^(?:\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+))$/;

export function rangesFault(ranges: unknown): string | undefined {
  if (!Array.isArray(ranges) || ranges.length === 0) return "it has no media types; give one such as 'image/png'";
  const wrong: unknown = ranges.find((range) => typeof range !== 'string' || !RANGE.test(range));
  if (wrong === undefined) return undefined;
  return `${JSON.stringify(wrong)} is not a media type; give one such as 'image/png', or a range such as 'image/*'`;
}

/** Returns the media type of the body. Throws an `HttpProblem` 415 with the accepted types for any other type. */
export function acceptedMediaType(
  { headers, method }: Context,
  mediaTypes: readonly string[],
  isRead = (type: string): boolean => isInRanges(type, mediaTypes),
): ContentType {
  const text = headers['content-type'];
  const refused = (fault: string): Error =>
    refusedMediaType(method, `${fault}; send the body as ${mediaTypes.join(' or ')}`, mediaTypes.join(', '));
  if (text === undefined) throw refused('The request has no Content-Type');
  const contentType = parseContentType(text);
  if (contentType === undefined) throw refused('The Content-Type is malformed');
  if (!isRead(contentType.type)) throw refused(`The body is ${contentType.type}`);
  return contentType;
}

export const URL_ENCODED = 'application/x-www-form-urlencoded';

/** True for a form without bytes, which a browser sends if no box is ticked and no other field has a value (D128). */
export const mayBeEmpty = ({ fields, mediaTypes }: OwnBody, { headers }: Context): boolean =>
  fields !== undefined &&
  isInRanges(URL_ENCODED, mediaTypes) &&
  parseContentType(headers['content-type'] ?? '')?.type === URL_ENCODED;

export const repeated = (names: readonly string[]): string | undefined =>
  names.find((name, at) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) < at);

/** The body of each media type or range: a schema for JSON, or another declared body. */
type BodyKinds = Readonly<Record<MediaRange, Schema | OwnBody>>;

/** The body that a handler gets. `type` is the declared media type or range; check it to narrow the type of `value`. */
type KindValue<Kinds> = {
  readonly [Type in keyof Kinds]: {
    readonly type: Type;
    readonly value: Kinds[Type] extends OwnBody<infer Value> ? Value : InferBody<Kinds[Type]>;
  };
}[keyof Kinds];

/** The result of `byMediaType`: a body whose handler gets the value and its declared media type. */
export interface ByMediaTypeBody<Kinds extends BodyKinds = BodyKinds> extends OwnBody<KindValue<Kinds>> {
  readonly kinds: Kinds;
}

/**
 * Declares a body of several kinds. The `Content-Type` of the request selects the kind: the narrowest declared media
 * type or range that matches it. A schema declares a JSON body. If it is declared under `application/json`, other JSON
 * media types, such as `application/merge-patch+json`, select it too. A request with any other media type is refused
 * with 415, and the `Accept` header of the reply lists all kinds.
 *
 *     operation({
 *       method: 'POST',
 *       path: 'items',
 *       body: byMediaType({
 *         'application/json': { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
 *         'text/csv': bytes('text/csv'),
 *       }),
 *       responses: { 200: { schema: { type: 'string' } } },
 *       handle: ({ body }) => ok(body.type === 'text/csv' ? `${body.value.length} bytes` : body.value.title),
 *     });
 */
export const byMediaType = <const Kinds extends BodyKinds>(
  kinds: Kinds & { readonly [Range in keyof Kinds]: Range extends MediaRange ? unknown : never },
): ByMediaTypeBody<Kinds> => ({
  [ownBody]: BY_MEDIA_TYPE as BodyHandling<KindValue<Kinds>>,
  kinds,
  mediaTypes: Object.keys(kinds ?? {}),
});

const isByMediaType = (body: unknown): body is ByMediaTypeBody => isOwnBody(body) && body[ownBody] === BY_MEDIA_TYPE;

const BY_MEDIA_TYPE: BodyHandling<{ readonly type: string; readonly value: unknown }> = {
  assert(declared, id) {
    const { kinds, mediaTypes } = declared as ByMediaTypeBody;
    const again = repeated(mediaTypes);
    const fault =
      rangesFault(mediaTypes) ??
      Object.entries(kinds).map(kindFault).find(Boolean) ??
      (again && `it has "${again}" twice, as media types ignore case; leave one out`);
    if (fault !== undefined) throw new TypeError(`Cannot use the body of the operation "${id}": ${fault}`);
    for (const [, body] of kindsOf(declared)) assertBody(body, id);
  },
  assertFits(declared, id, limits) {
    for (const [, body] of kindsOf(declared)) if (isOwnBody(body)) body[ownBody].assertFits(body, id, limits);
  },
  reader(declared, naming) {
    const kinds = kindsOf(declared);
    const rangeOf = rangeFinder(kinds);
    const readers = new Map(kinds.map(([range, body]) => [range, bodyReader(body, naming)]));
    return async (context) => {
      // Another empty body is refused with 400, whatever its media type is.
      const isEmptyForm = kinds.some(([, body]) => isOwnBody(body) && mayBeEmpty(body, context));
      if (!announcesBody(context) && !isEmptyForm && (await context.body()).length === 0) throw noBody();
      const isRead = (type: string): boolean => rangeOf(type) !== undefined;
      const type = rangeOf(acceptedMediaType(context, declared.mediaTypes, isRead).type)!;
      return { type, value: await readers.get(type)!(context) };
    };
  },
};

function kindFault([type, body]: readonly [string, Schema | OwnBody]): string | undefined {
  if (isByMediaType(body)) return `its "${type}" is another byMediaType; list the kinds of that body here`;
  if (!isOwnBody(body))
    return isJson(type.toLowerCase()) ? undefined : `its "${type}" has a schema, which reads only JSON; use bytes`;
  if (isInRanges(type.toLowerCase(), body.mediaTypes)) return undefined;
  return `its "${type}" reads ${body.mediaTypes.join(' or ')}; declare it under a media type that it reads`;
}

/** Returns a function that finds the narrowest declared type or range for a media type in lower case. */
function rangeFinder(kinds: ReturnType<typeof kindsOf>): (type: string) => string | undefined {
  const exact = new Map(kinds.map(([range]) => [range.toLowerCase(), range]));
  const [json, anything] = [exact.get('application/json'), exact.get('*/*')];
  const readsAnyJson = kinds.some(([range, body]) => range === json && !isOwnBody(body));
  return (type) =>
    exact.get(type) ??
    (readsAnyJson && isJson(type) ? json : undefined) ??
    kinds.find(([range]) => range !== anything && isInRanges(type, [range]))?.[0] ??
    anything;
}
