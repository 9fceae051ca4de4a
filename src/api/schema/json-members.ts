/**
 * Finds the members of objects and arrays in a JSON text, in the order in which they are written.
 *
 * `JSON.parse` loses this order: `{"name":1,"NAME":2,"name":3}` gives the keys `name`, `NAME`, so the last duplicate,
 * which counts (D1, D3), is unknown. The text must be valid JSON.
 */

/** Returns the token for a name in a JSON Pointer: `a/b` is written `a~1b`, `a~b` is `a~0b` (RFC 6901 §3, §4). */
export const escapeToken = (name: string): string =>
  name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
export const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

/** The texts of members by name, or of elements by index. A repeated name has its last text and its last position. */
export type JsonMembers = ReadonlyMap<string, string>;

/**
 * Returns a look-up by JSON Pointer (RFC 6901). The pointer must lead to an object or an array. Each of them is scanned
 * once, when it is first asked for.
 */
export function jsonMembers(text: string): (pointer: string) => JsonMembers {
  const scanned = new Map<string, JsonMembers>();
  return function membersAt(pointer) {
    let members = scanned.get(pointer);
    if (members === undefined) {
      const slash = pointer.lastIndexOf('/');
      members = scanMembers(
        slash < 0 ? text : membersAt(pointer.slice(0, slash)).get(unescapeToken(pointer.slice(slash + 1)))!,
      );
      scanned.set(pointer, members);
    }
    return members;
  };
}

function scanMembers(text: string): JsonMembers {
  const members = new Map<string, string>();
  const start = text.search(/[{[]/);
  const isArray = text[start] === '[';
  let depth = 0;
  let valueStart = start + 1;
  let name: string | undefined;
  const addMember = (end: number): void => {
    const value = text.slice(valueStart, end).trim();
    const key = isArray ? String(members.size) : name;
    valueStart = end + 1;
    if (value === '' || key === undefined) return;
    // Deleting first moves a repeated name to its last position.
    members.delete(key);
    members.set(key, value);
  };
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) addMember(at);
    } else if (depth === 1 && character === ',') addMember(at);
    else if (depth === 1 && character === ':') {
      name = JSON.parse(text.slice(valueStart, at)) as string;
      valueStart = at + 1;
    }
  }
  return members;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
