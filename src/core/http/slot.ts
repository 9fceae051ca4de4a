/** Passes typed values from a stage to the later stages and to the handler of the same request (D73). */
import type { Context } from './context.ts';
import { type SlotValues, slotValuesOf } from './slotted-context.ts';

/** A typed place for one value per request. */
export interface Slot<Value> {
  /** The name that error messages contain. */
  readonly name: string;
  /** Stores the value for this request. Replaces an earlier value. */
  set(context: Context, value: Value): void;
  /** Returns the value of this request. Throws an `Error` that names the slot if no value was set. */
  get(context: Context): Value;
  /** Returns the value of this request; undefined if no value was set. */
  find(context: Context): Value | undefined;
}

/**
 * Creates a slot. All copies of a context share the value of the slot, including copies that `contextWith` and
 * `mounted` create. Two slots with the same name are separate. `set`, `get` and `find` throw a `TypeError` for an
 * object that is not a context of this library.
 *
 *     const user = slot<{ readonly name: string }>('user');
 *     const signIn: Stage = (context, next) => {
 *       user.set(context, { name: context.headers['x-user'] === 'ada' ? 'Ada' : 'nobody' });
 *       return next(context);
 *     };
 *     route({ path: 'me', handle: ({ context }) => json(user.get(context)) });
 */
export function slot<Value>(name: string): Slot<Value> {
  const key = Symbol(name);
  return {
    name,
    set(context, value) {
      knownValues(context, `set the slot "${name}"`)[key] = value;
    },
    get(context) {
      const values = knownValues(context, `read the slot "${name}"`);
      if (!(key in values))
        throw new Error(
          `Cannot read the slot "${name}" of ${context.method} ${context.path}: no stage has set it; ` +
            'set it in an earlier stage, or use find(context), which returns undefined then',
        );
      return values[key] as Value;
    },
    find(context) {
      return knownValues(context, `read the slot "${name}"`)[key] as Value | undefined;
    },
  };
}

function knownValues(context: Context, action: string): SlotValues {
  const values = slotValuesOf(context);
  if (values !== undefined) return values;
  throw new TypeError(
    `Cannot ${action}: the object is not a context of this library; pass the context that the stage received, ` +
      'or copy it with contextWith(context, { … }), not with a spread',
  );
}

/** Returns the names of the slots that are set for this request; empty for an object that is not a context. */
export const slotNames = (context: Context): string[] =>
  Object.getOwnPropertySymbols(slotValuesOf(context) ?? {}).map(({ description = '' }) => description);
