/** Describes a thrown value, which need not be an error: a text, null, a proxy, an object whose members throw. */
import { inspect, types } from 'node:util';

/** Is the value an object? A list is an object too. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Is the value an error, of this realm or another? */
export const isError = (value: unknown): value is Error =>
  attempt(() => types.isNativeError(value) || value instanceof Error, false);

/** The value in words: `TypeError: no luck` for an error, a text itself, a short inspection of any other object. */
export const thrownText = (value: unknown): string =>
  attempt(() => (isError(value) || typeof value !== 'object' ? String(value) : inspect(value, SHORT)), UNREADABLE);

/** The message of an error without its class; the value in words where it is no error or has no message. */
export const thrownMessage = (value: unknown): string =>
  attempt(() => (isError(value) && value.message !== '' ? String(value.message) : thrownText(value)), UNREADABLE);

/** A member of the value, such as `stack` or `cause`; undefined when it is missing or cannot be read. */
export const thrownMember = (value: unknown, name: string): unknown =>
  attempt(() => (isObject(value) ? value[name] : undefined), undefined);

/** Does the value have a member of this name, its own or an inherited one? False when it cannot be asked. */
export const hasMember = (value: unknown, name: PropertyKey): boolean =>
  attempt(() => isObject(value) && name in value, false);

const UNREADABLE = 'a value that cannot be shown';
const SHORT = { depth: 2, breakLength: Infinity, maxArrayLength: 20, maxStringLength: 1000 };

/** What `action` returns; `otherwise` where it throws. */
export function attempt<Value>(action: () => Value, otherwise: Value): Value {
  try {
    return action();
  } catch {
    return otherwise;
  }
}
