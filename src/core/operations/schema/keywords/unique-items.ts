/** Checks `uniqueItems`, in a time that grows with the length of the text, and not with its square. */
import { createHash } from 'node:crypto';

/** The tokens of the arrays and objects that were compared before: arrays in arrays are compared at every level. */
export type Tokens = Map<object, string | undefined>;

/** Returns the index of the first item that equals an earlier one, or undefined. Order of members does not count. */
export function firstRepeated(items: readonly unknown[], tokens: Tokens): number | undefined {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const token = tokenOf(item, tokens);
    if (seen.has(token)) return index;
    seen.add(token);
  }
  return undefined;
}

/**
 * A text that two values share exactly if they are equal: the JSON text with its members sorted by name. A long one is
 * replaced by its digest, so that each level of a value costs its own members alone.
 */
function tokenOf(root: unknown, tokens: Tokens): string {
  if (!isObject(root)) return scalarToken(root);
  const pending = [root];
  // Not recursive: the stack of the engine has an end.
  for (let value = pending.at(-1); value !== undefined; value = pending.at(-1)) {
    if (tokens.has(value)) {
      pending.pop();
      if (tokens.get(value) === undefined) tokens.set(value, shortened(composed(value, tokens)));
      continue;
    }
    tokens.set(value, undefined);
    for (const part of Object.values(value)) if (isObject(part) && !tokens.has(part)) pending.push(part);
  }
  return tokens.get(root)!;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const scalarToken = (value: unknown): string => JSON.stringify(value) ?? 'undefined';

function composed(value: object, tokens: Tokens): string {
  const partToken = (part: unknown): string => (isObject(part) ? (tokens.get(part) ?? '…') : scalarToken(part));
  if (Array.isArray(value)) return `[${value.map(partToken).join()}]`;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${partToken(member)}`).join()}}`;
}

const LONGEST = 64;
/** No JSON text begins with the sign of a digest. */
const shortened = (text: string): string =>
  text.length <= LONGEST ? text : `#${createHash('sha256').update(text).digest('base64')}`;
