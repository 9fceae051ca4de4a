/** What a `Content-Type` line says: a media type and its parameters (RFC 9110 §8.3.1). */
import { type Parameter, parseParameters } from './parameters.ts';
import { splitOutsideQuotes } from './split-outside-quotes.ts';

/** A media type. */
export interface ContentType {
  /** `application/json`, in lower case. */
  readonly type: string;
  /** In the order in which they were sent; a name may be there twice. */
  readonly parameters: readonly Parameter[];
}

const TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;

/** Reads the value of a `Content-Type` line. Undefined if it breaks the grammar, in its parameters too. */
export function parseContentType(text: string): ContentType | undefined {
  const [type = '', ...pieces] = splitOutsideQuotes(text, ';');
  const parameters = TYPE.test(type) ? parseParameters(pieces) : undefined;
  return parameters && { type: type.toLowerCase(), parameters };
}
