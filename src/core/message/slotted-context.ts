/** The values that all copies of a context share: those of plugins, and those of this library itself. */
import { Context } from './context.ts';

/** The name is shared: a plugin with another copy of this library finds the values too. */
const VALUES: unique symbol = Symbol.for('todo-item-service values');

/** The values of one request: those of `slot` under a symbol each, those of `ownSlot` under its name. */
export type SlotValues = Record<PropertyKey, unknown>;

/** A context that this library makes. All copies of it share the values of its slots, which a spread does not copy. */
export abstract class SlottedContext extends Context {
  readonly #values: SlotValues;

  /** `values` are those of the context that this one is a copy of. */
  constructor(values: SlotValues = {}) {
    super();
    this.#values = values;
  }

  get [VALUES](): SlotValues | undefined {
    return #values in this ? this.#values : undefined;
  }
}

/** The values that all copies of a context share; undefined for a value that is not a context of this library. */
export const slotValuesOf = (context: Context | undefined): SlotValues | undefined =>
  (context as SlottedContext | undefined)?.[VALUES];

/**
 * Makes a slot for the library. Two copies of the library share it by its name. `find` returns undefined for a slot
 * without a value, and for an object that is not a context of this library.
 */
export function ownSlot<Value>(name: string) {
  const key = `todo-item-service ${name}`;
  return {
    set(context: Context, value: Value | undefined): void {
      const values = slotValuesOf(context);
      if (values !== undefined) values[key] = value;
    },
    find: (context: Context): Value | undefined => slotValuesOf(context)?.[key] as Value | undefined,
  };
}
