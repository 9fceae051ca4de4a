/**
 * Finds the names of the members of objects in a JSON text, in the order in which they are written.
 *
 * `JSON.parse` loses this order: `{"name":1,"NAME":2,"name":3}` gives the keys `name`, `NAME`, so the last duplicate,
 * which counts (D1, D3), is unknown.
 */

/** Returns the token for a name in a JSON Pointer: `a/b` is written `a~1b`, `a~b` is `a~0b` (RFC 6901 §3, §4). */
export const escapeToken = (name: string): string =>
  name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
export const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

/** The names in each object that has two of one spelling but for the case, repeated ones too. */
export type SentNames = ReadonlyMap<object, readonly string[]>;

/** An object or an array whose end is not read yet. `name` is that of the member that is read, or its index. */
interface Open {
  readonly value: unknown;
  readonly names: string[];
  name: string | number;
}

/** Reads the names in a valid JSON text that was parsed to `root`, all in one walk. */
export function sentNames(text: string, root: unknown): SentNames {
  const found = new Map<object, readonly string[]>();
  const outer: Open[] = [];
  let open: Open | undefined;
  let textStart = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"':
        textStart = at;
        at = endOfString(text, at);
        break;
      case ':':
        open!.names.push((open!.name = JSON.parse(text.slice(textStart, at)) as string));
        break;
      case ',':
        if (typeof open!.name === 'number') open!.name += 1;
        break;
      case '{':
      case '[': {
        // Of a repeated name, JSON.parse has the last value: what is found of others is replaced later.
        const value =
          open === undefined ? root : (open.value as Readonly<Record<string, unknown>> | undefined)?.[open.name];
        if (open !== undefined) outer.push(open);
        open = { value, names: [], name: text[at] === '[' ? 0 : '' };
        break;
      }
      case '}':
      case ']':
        keep(open!, found);
        open = outer.pop();
    }
  }
  return found;
}

function keep({ value, names }: Open, found: Map<object, readonly string[]>): void {
  if (typeof value !== 'object' || value === null) return;
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) found.set(value, names);
  else found.delete(value);
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
