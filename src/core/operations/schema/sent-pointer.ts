/**
 * Finds the JSON Pointer of a property in a body, in the spelling that the client sent: `/KEY` rather than `/key`.
 *
 * A handler that refuses a property by a rule of its own does not know that spelling, because names are matched
 * ignoring case (D1). The text is scanned only for a refused body.
 */
import { sentNames } from './json-members.ts';
import { type PropertyNaming, propertyLookup, wireName } from './property-naming.ts';
import { pointerTo } from './validation.ts';

/**
 * Returns the JSON Pointer (RFC 6901) of a property in the body `text`, which must be valid JSON. `path` has the names
 * of the code and the indexes of elements: `['lines', 0, 'count']`. Of duplicates, the last gives the spelling (D3). A
 * name that was not sent has the spelling of `naming`.
 */
export function sentPointer(text: string, path: readonly (string | number)[], naming: PropertyNaming): string {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text;
  let value: unknown = JSON.parse(json);
  const namesOf = sentNames(json, value);
  let pointer = '';
  for (const step of path) {
    const object = typeof value === 'object' && value !== null ? value : {};
    const sent = namesOf.get(object) ?? Object.keys(object);
    const name = typeof step === 'number' ? String(step) : lastSpelling(sent, wireName(step, naming));
    value = Object.hasOwn(object, name) ? (object as Readonly<Record<string, unknown>>)[name] : undefined;
    pointer = pointerTo(pointer, name);
  }
  return pointer;
}

function lastSpelling(sent: readonly string[], name: string): string {
  const lookUp = propertyLookup([name]);
  return sent.findLast((one) => lookUp(one) !== undefined) ?? name;
}
