/**
 * Describes a thrown value. Any value can be thrown, not only an error: a text, null, a proxy, or an object whose
 * members throw when they are read. None of these functions throws.
 */
import { inspect, types } from 'node:util';

/** Returns true if the value is an object, which includes a list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Returns true if the value is an error of this realm or another. */
export const isError = (value: unknown): value is Error =>
  attempt(() => types.isNativeError(value) || value instanceof Error, false);

/** Returns the value as text: `TypeError: no luck` for an error, and a short inspection of any other object. */
export const thrownText = (value: unknown): string =>
  attempt(() => (isError(value) || typeof value !== 'object' ? String(value) : inspect(value, SHORT)), UNREADABLE);

/** Returns the message of an error without its class. Otherwise returns the same as `thrownText`. */
export const thrownMessage = (value: unknown): string =>
  attempt(() => (isError(value) && value.message !== '' ? String(value.message) : thrownText(value)), UNREADABLE);

/** Returns a member of the value, such as `stack` or `cause`, or undefined if it is missing or cannot be read. */
export const thrownMember = (value: unknown, name: string): unknown =>
  attempt(() => (isObject(value) ? value[name] : undefined), undefined);

/** Returns true if the value has or inherits a member of this name, and false if that check throws. */
export const hasMember = (value: unknown, name: PropertyKey): boolean =>
  attempt(() => isObject(value) && name in value, false);

const UNREADABLE = 'a value that cannot be shown';
const SHORT = { depth: 2, breakLength: Infinity, maxArrayLength: 20, maxStringLength: 1000 };

/** Returns the result of `action`, or `otherwise` if `action` throws. */
export function attempt<Value>(action: () => Value, otherwise: Value): Value {
  try {
    return action();
  } catch {
    return otherwise;
  }
}
