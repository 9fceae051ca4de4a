/**
 * Reads a media type and its parameters, as in `Content-Type` and in each element of `Accept` (RFC 9110 §8.3.1).
 *
 * A text that breaks the grammar is refused as a whole. A reader that took `charset=utf-16 le` for a type without a
 * charset would decode the body as UTF-8.
 */
import { splitOutsideQuotes } from './split-outside-quotes.ts';

/** A media type. */
export interface ContentType {
  /** In lower case, `application/json` for example. */
  readonly type: string;
  /** Names in lower case, values without quotes and escapes, in the order of the header. A name may occur twice. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

const TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;
/** RFC 9110 §5.6.6. No white space around the `=`, and no character that two neighbouring parts can match. */
const PARAMETER =
  /^([\w!#$%&'*+.^`|~-]+)=(?:([\w!#$%&'*+.^`|~-]+)|"((?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*)")$/;

/** Reads a header value. Undefined if the type or a parameter breaks the grammar; empty parameters are skipped. */
export function parseContentType(text: string): ContentType | undefined {
  const [type = '', ...pieces] = splitOutsideQuotes(text, ';');
  if (!TYPE.test(type)) return undefined;
  const parameters: [name: string, value: string][] = [];
  for (const piece of pieces) {
    if (piece === '') continue;
    const [, name, token, quoted] = PARAMETER.exec(piece) ?? [];
    if (name === undefined) return undefined;
    parameters.push([name.toLowerCase(), token ?? quoted!.replace(/\\(.)/g, '$1')]);
  }
  return { type: type.toLowerCase(), parameters };
}
