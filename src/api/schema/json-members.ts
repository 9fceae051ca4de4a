/**
 * The order in which the members of a JSON text are written: the one thing that `JSON.parse` forgets.
 *
 * `{"name":1,"NAME":2,"name":3}` parses to an object whose keys come as `name`, `NAME`, so the last one written can no
 * longer be told; the text still knows (D3: the last duplicate wins, D1: names are matched ignoring case). It is looked
 * at only for a body that spells one name in two ways. The text must be valid JSON, so nothing is checked again.
 */

import { unescapedName } from './json-pointer.ts';

/** Name and text of each member of an object, or element of an array by its index; in the order of the last writing of each name. */
export type WrittenMembers = ReadonlyMap<string, string>;

/** Looks members up by the JSON Pointer (RFC 6901) of their object or array, which must be there. Each text is scanned once. */
export function writtenMembers(text: string): (pointer: string) => WrittenMembers {
  const scanned = new Map<string, WrittenMembers>();
  const textAt = (pointer: string): string => {
    const cut = pointer.lastIndexOf('/');
    if (cut < 0) return text;
    return at(pointer.slice(0, cut)).get(unescapedName(pointer.slice(cut + 1)))!;
  };
  const at = (pointer: string): WrittenMembers => {
    const members = scanned.get(pointer) ?? scan(textAt(pointer));
    scanned.set(pointer, members);
    return members;
  };
  return at;
}

function scan(text: string): WrittenMembers {
  const members = new Map<string, string>();
  const start = text.search(/[{[]/),
    isArray = text[start] === '[';
  let depth = 0,
    from = start + 1,
    name: string | undefined;
  const close = (end: number): void => {
    const value = text.slice(from, end).trim();
    const key = isArray ? String(members.size) : name;
    from = end + 1;
    if (value === '' || key === undefined) return;
    members.delete(key);
    members.set(key, value);
  };
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at]!;
    if (sign === '"') at = endOfString(text, at);
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth === 0) close(at);
    } else if (depth === 1 && sign === ',') close(at);
    else if (depth === 1 && sign === ':') {
      name = JSON.parse(text.slice(from, at)) as string;
      from = at + 1;
    }
  }
  return members;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
