/**
 * Parameters of a header value: `charset=utf-8`, `charset="utf-8"` (RFC 9110 §5.6.6).
 *
 * There is no white space around the `=`. A text that breaks the grammar is not guessed at: whoever reads `charset=utf-16 le`
 * as "no charset" takes the body for UTF-8.
 */

/** Name in lower case and value, quotes and escapes removed. */
export type Parameter = readonly [name: string, value: string];

/** One parameter, without white space around it. No two parts of the expression can match the same character in turn. */
const PARAMETER =
  /^([\w!#$%&'*+.^`|~-]+)=(?:([\w!#$%&'*+.^`|~-]+)|"((?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*)")$/;

/** Reads the pieces between the semicolons; empty ones are allowed and skipped. Undefined if one of them is no parameter. */
export function parseParameters(pieces: readonly string[]): readonly Parameter[] | undefined {
  const parameters: Parameter[] = [];
  for (const piece of pieces) {
    if (piece === '') continue;
    const [, name, token, quoted] = PARAMETER.exec(piece) ?? [];
    if (name === undefined) return undefined;
    parameters.push([name.toLowerCase(), token ?? quoted!.replace(/\\(.)/g, '$1')]);
  }
  return parameters;
}
