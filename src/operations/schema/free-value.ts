/** Copies values that no schema describes: an array without `items`, or an object without `properties`. */
import { isObject } from '../../core/log/thrown-value.ts';
import { expected, Fault, valueText } from './faults.ts';

/**
 * Returns a copy of a value, or the fault if JSON would change the value or it has more than `most` levels. Call it with
 * the result of `jsonOf`.
 */
export function freeValue(value: unknown, most: number, levels = most): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number')
    return Number.isFinite(value)
      ? value
      : new Fault({ detail: 'Expected a value with numbers in the range of a double', keyword: 'type' });
  if (!isObject(value))
    return new Fault({ detail: `Expected a value of JSON, not ${valueText({}, value)}`, keyword: 'type' });
  if (levels === 0)
    return new Fault(expected('depth', most, `a value with at most ${most} objects and arrays inside one another`));
  const isList = Array.isArray(value);
  const copy = (isList ? [] : {}) as Record<string, unknown>;
  for (const [name, member] of Object.entries(isList ? Array.from(value) : value)) {
    // JSON leaves out such a member of an object, which is not an error.
    if (!isList && ['undefined', 'function', 'symbol'].includes(typeof member)) continue;
    const free = freeValue(jsonOf(member), most, levels - 1);
    if (free instanceof Fault) return free.in(name);
    setMember(copy, name, free);
  }
  return copy;
}

/** Returns the result of `toJSON`, as of a `Date`, or the value itself. The method is called once, as JSON does. */
export const jsonOf = (value: unknown): unknown => (isSelfWriting(value) ? value.toJSON() : value);

export const isSelfWriting = (value: unknown): value is { toJSON(): unknown } =>
  typeof (value as { readonly toJSON?: unknown } | null | undefined)?.toJSON === 'function';

/** Sets a member of an object. An assignment to `__proto__` would change the prototype. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
