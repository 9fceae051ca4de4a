/**
 * Which texts are GUIDs (reference C.7), in any case, with any Unicode white space around.
 *
 *     N   32 hex digits                                   D   8-4-4-4-12
 *     B   "{" D "}"            P   "(" D ")"
 *     X   "{" hex8 "," hex8 "," hex8 ",{" hex2 ( "," hex2 ) × 7 "}}"     white space anywhere
 *         hexN := "0x" and a number of at most N hex digits, leading zeros not counted
 *
 * Quirks that are kept: in D, B and P a component may be written with `0x` or `+` inside its fixed width, the last eight digits
 * excepted; in X the second and third number may have eight digits, of which four count, and a `+` or another `0x` may follow.
 */
import { isSpace, trimmed } from './floating-text.ts';

const PLAIN = /^[0-9a-f]{32}$/i;
const DASHED = /^(.{8})-(.{4})-(.{4})-(.{4})-(.{4})[0-9a-f]{8}$/is;
const COMPONENT = /^\+?(?:0x)?[0-9a-f]+$/i;

/** Is this a GUID? */
export function isGuid(text: string): boolean {
  const guid = trimmed(text);
  if (guid.startsWith('{'))
    return guid.indexOf('-') >= 0 ? guid.endsWith('}') && isDashed(guid.slice(1, -1)) : isNested(guid);
  if (guid.startsWith('(')) return guid.endsWith(')') && isDashed(guid.slice(1, -1));
  return PLAIN.test(guid) || isDashed(guid);
}

function isDashed(text: string): boolean {
  const found = DASHED.exec(text);
  return found !== null && found.slice(1).every((component) => COMPONENT.test(component));
}

const NESTED = /^\{((?:0x[^,{}]+,){3})\{(0x[^,{}]+(?:,0x[^,{}]+){7})\}\}$/i;
const HEX = /^0x\+?(?:0x)?0*([0-9a-f]{0,8})$/i;

function isNested(text: string): boolean {
  let dense = '';
  for (const character of text) if (!isSpace(character)) dense += character;
  const found = NESTED.exec(dense);
  if (!found) return false;
  const fits = (component: string, digits: number): boolean => (HEX.exec(component)?.[1]?.length ?? Infinity) <= digits;
  return (
    found[1]!
      .slice(0, -1)
      .split(',')
      .every((component) => fits(component, 8)) && found[2]!.split(',').every((component) => fits(component, 2))
  );
}
