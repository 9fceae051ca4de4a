/**
 * Where a property stands in a body, in the spelling that the client sent: `/KEY` rather than `/key`.
 *
 * Names are matched ignoring case (D1), so a handler that refuses a property by its own rules cannot know how it was spelled. The text
 * still tells. It is scanned only when a body is refused.
 */
import { type WrittenMembers, writtenMembers } from './json-members.ts';
import { escapedName } from './json-pointer.ts';
import { memberNames } from './member-names.ts';
import { type PropertyNaming, wireName } from './property-naming.ts';

const NO_MEMBERS: WrittenMembers = new Map();

/**
 * The JSON Pointer of a property in the body `text`. `path` has the names of the code and the positions in arrays: `['lines', 0,
 * 'count']`. A name that was sent several times has the spelling of the last, which is the one that counts (D3); one that was not sent
 * has that of the wire.
 */
export function sentPointer(text: string, path: readonly (string | number)[], naming: PropertyNaming): string {
  const membersAt = writtenMembers(text);
  let pointer = '',
    isThere = true;
  for (const step of path) {
    const members = isThere ? membersAt(pointer) : NO_MEMBERS;
    const name = typeof step === 'number' ? String(step) : lastSpelling(members, wireName(step, naming));
    isThere = /^[{[]/.test(members.get(name) ?? '');
    pointer += `/${escapedName(name)}`;
  }
  return pointer;
}

function lastSpelling(members: WrittenMembers, onTheWire: string): string {
  const positionOf = memberNames([onTheWire]);
  let last = onTheWire;
  for (const name of members.keys()) if (positionOf(name) !== undefined) last = name;
  return last;
}
