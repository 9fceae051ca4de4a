/** Hands typed values from a stage to the later stages and to the handler of the same request (D73). */
import type { Context } from './context.ts';
import { type SlotValues, slotValuesOf } from './slotted-context.ts';

/** A typed place for one value of each request. */
export interface Slot<Value> {
  /** Named by the errors of `get`. */
  readonly name: string;
  /** Stores the value for this request; it takes the place of an earlier one. */
  set(context: Context, value: Value): void;
  /** The value of this request. Throws an `Error` that names the slot where none was set. */
  get(context: Context): Value;
  /** The value of this request; undefined where none was set. */
  find(context: Context): Value | undefined;
}

/**
 * Makes a slot. All copies of a context have the same values, also those that `contextWith` and `mounted` make. Two
 * slots of one name are two slots. `set` throws a `TypeError` for an object that is not a context of this library.
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

function knownValues(context: Context, attempt: string): SlotValues {
  const values = slotValuesOf(context);
  if (values !== undefined) return values;
  throw new TypeError(
    `Cannot ${attempt}: it was given no context of this library; pass the context that the stage received, ` +
      'copied with contextWith(context, { … }) and not with a spread',
  );
}

/** The names of the slots that plugins have set for this request; none for a foreign object. */
export const slotNames = (context: Context): string[] =>
  Object.getOwnPropertySymbols(slotValuesOf(context) ?? {}).map(({ description = '' }) => description);
