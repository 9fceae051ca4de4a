/**
 * Finds the JSON Pointer of a property in a body, in the spelling that the client sent: `/KEY` rather than `/key`.
 *
 * A handler that refuses a property by a rule of its own does not know that spelling, because names are matched
 * ignoring case (D1). The text is scanned only for a refused body.
 */
import { escapeToken, type JsonMembers, jsonMembers } from './json-members.ts';
import { type PropertyNaming, propertyLookup, wireName } from './property-naming.ts';

const NO_MEMBERS: JsonMembers = new Map();

/**
 * Returns the JSON Pointer (RFC 6901) of a property in the body `text`, which must be valid JSON. `path` has the names
 * of the code and the indexes of elements: `['lines', 0, 'count']`. Of duplicates, the last gives the spelling (D3). A
 * name that was not sent has the spelling of `naming`.
 */
export function sentPointer(text: string, path: readonly (string | number)[], naming: PropertyNaming): string {
  const membersAt = jsonMembers(text);
  let pointer = '';
  let value = text;
  for (const step of path) {
    const members = /^\s*[{[]/.test(value) ? membersAt(pointer) : NO_MEMBERS;
    const name = typeof step === 'number' ? String(step) : lastSpelling(members, wireName(step, naming));
    value = members.get(name) ?? '';
    pointer += `/${escapeToken(name)}`;
  }
  return pointer;
}

function lastSpelling(members: JsonMembers, name: string): string {
  const lookUp = propertyLookup([name]);
  let spelling = name;
  for (const sent of members.keys()) if (lookUp(sent) !== undefined) spelling = sent;
  return spelling;
}
