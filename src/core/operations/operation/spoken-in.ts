/**
 * Decides which members of a declaration are spoken. The others are `never`, so the compiler points at each of them;
 * `assertDeclaration` refuses them at start (D68, D70).
 */

import type { Names } from '../../message/reply.ts';
import type { SpokenParameters, SpokenText, TextKeyword } from '../parameters/parameter.ts';
import type { InferReply, Spoken, SpokenMembers } from '../schema/schema.ts';
import type { OwnBody } from './own-body.ts';
import type { HeaderDeclaration, ResponseDeclaration, Responses } from './response.ts';

/** The schemas, the parameters and the responses of a declaration, as far as they are spoken. */
export interface SpokenIn<R extends Responses, Body, Query, Headers, Given> {
  readonly body?: Body extends OwnBody ? unknown : Spoken<Body>;
  readonly query?: SpokenParameters<Query, 'query'>;
  readonly headers?: SpokenParameters<Headers, 'header'>;
  readonly parameters?: SpokenParameters<Given, 'path'>;
  readonly responses: {
    readonly [Status in keyof R]: SpokenResponse<R[Status], StatusIn<`${Status & (string | number)}`>>;
  };
}

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
/** What a key that is not literal can be is a status too. */
type StatusIn<Text> = Text extends `${2 | 3 | 4 | 5}${Digit}${Digit}` ? Text : `${number}` extends Text ? Text : never;
/** An error is a problem; the others have no body here (RFC 9110 §15.3.5, §15.3.6, §15.4). */
type WithoutBody = `${3 | 4 | 5}${Digit}${Digit}` | '204' | '205';

type SpokenResponse<Response, Status> = [Status] extends [never]
  ? never
  : Response extends object
    ? SpokenMembers<Response, ResponseDeclaration, ResponseMember<Response, Status>, ResponseValues<Response>>
    : Response;

type ResponseMember<Response, Status> =
  | 'description'
  | 'location'
  | 'headers'
  | (Status extends WithoutBody
      ? never
      : 'schema' | 'example' | (Response extends { readonly schema: unknown } ? never : 'mediaType'));

interface ResponseValues<Response> {
  readonly schema: Spoken<Response['schema' & keyof Response]>;
  readonly example: Example<
    Exclude<Response['example' & keyof Response], undefined>,
    'schema' extends keyof Response
      ? InferReply<Exclude<Response['schema'], undefined>>
      : 'mediaType' extends keyof Response
        ? string
        : never
  >;
  readonly headers: SpokenHeaders<Response['headers' & keyof Response]>;
}

/** `never` for a member that the schema does not have; the compiler finds one of another type by itself. */
type Example<Given, Wanted> = [Given] extends [Wanted]
  ? [Names<Given>] extends [Names<Wanted>]
    ? Given
    : never
  : Extract<Wanted, object>;

type SpokenHeaders<Headers> = {
  readonly [Name in keyof Headers]: SpokenText<
    Headers[Name],
    HeaderDeclaration,
    Exclude<TextKeyword<Headers[Name]>, 'default'> | 'always'
  >;
};
