/**
 * What can be said of a thrown value, which need not be an error: a text, null, an object whose members throw, a proxy.
 *
 * Nothing here throws, so that reporting one failure never makes another.
 */
import { inspect, types } from 'node:util';

/** Is it an error, of this realm or another? */
export const isError = (value: unknown): value is Error =>
  attempt(() => types.isNativeError(value) || value instanceof Error, false);

/** The value in words: `TypeError: no luck` for an error, the text itself for a text, a short picture of any other object. */
export function thrownText(value: unknown): string {
  return attempt(() => (isError(value) || typeof value !== 'object' ? String(value) : pictureOf(value)), UNREADABLE);
}

/** The message of an error without its class; the value in words where it is no error or has no message. */
export function thrownMessage(value: unknown): string {
  return attempt(
    () => (isError(value) && value.message !== '' ? String(value.message) : thrownText(value)),
    UNREADABLE,
  );
}

/** A member of the value, `stack` or `cause` for example; undefined where there is none or it cannot be read. */
export function thrownMember(value: unknown, name: string): unknown {
  return attempt(
    () => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined),
    undefined,
  );
}

/** Has the value a member of this name, inherited ones included? False where it does not let itself be asked. */
export const hasMember = (value: unknown, name: PropertyKey): boolean =>
  attempt(() => typeof value === 'object' && value !== null && name in value, false);

const UNREADABLE = 'a value that cannot be shown';

const pictureOf = (value: object | null): string =>
  inspect(value, { depth: 2, breakLength: Infinity, maxArrayLength: 20, maxStringLength: 1000 });

function attempt<Value>(action: () => Value, otherwise: Value): Value {
  try {
    return action();
  } catch {
    return otherwise;
  }
}
