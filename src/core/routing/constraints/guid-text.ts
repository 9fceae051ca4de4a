/**
 * Decides which values are GUIDs (reference C.7), in any case, with any Unicode white space around.
 *
 *     N   32 hex digits                                   D   8-4-4-4-12
 *     B   "{" D "}"            P   "(" D ")"
 *     X   "{" hex8 "," hex8 "," hex8 ",{" hex2 ( "," hex2 ) × 7 "}}"     white space anywhere
 *         hexN := "0x" and a number of at most N hex digits, leading zeros not counted
 *
 * As in the reference, a component of D, B and P may be written with `0x` or `+` inside its fixed width, except the
 * last eight digits. The second and third number of X may have eight digits, and a `+` or another `0x` may follow the
 * `0x`.
 */
import { isWhiteSpace, trimWhiteSpace } from '../text/white-space.ts';

const PLAIN = /^[0-9a-f]{32}$/i;
const DASHED = /^(.{8})-(.{4})-(.{4})-(.{4})-(.{4})[0-9a-f]{8}$/is;
const COMPONENT = /^\+?(?:0x)?[0-9a-f]+$/i;
const NESTED = /^\{((?:0x[^,{}]+,){3})\{(0x[^,{}]+(?:,0x[^,{}]+){7})\}\}$/i;
const HEX = /^0x\+?(?:0x)?0*([0-9a-f]{0,8})$/i;

/** Is this text a GUID? */
export function isGuid(text: string): boolean {
  const guid = trimWhiteSpace(text);
  if (guid.startsWith('{'))
    return guid.includes('-') ? guid.endsWith('}') && isDashed(guid.slice(1, -1)) : isNested(guid);
  if (guid.startsWith('(')) return guid.endsWith(')') && isDashed(guid.slice(1, -1));
  return PLAIN.test(guid) || isDashed(guid);
}

function isDashed(text: string): boolean {
  const found = DASHED.exec(text);
  return found !== null && found.slice(1).every((component) => COMPONENT.test(component));
}

function isNested(text: string): boolean {
  let dense = '';
  for (const character of text) if (!isWhiteSpace(character)) dense += character;
  const found = NESTED.exec(dense);
  return found !== null && areHex(found[1]!.slice(0, -1), 8) && areHex(found[2]!, 2);
}

const areHex = (numbers: string, maxDigits: number): boolean =>
  numbers.split(',').every((number) => (HEX.exec(number)?.[1]?.length ?? Infinity) <= maxDigits);
