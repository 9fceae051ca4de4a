/** Stores the values that all copies of a context share: the slots of plugins and the slots of this library. */
import { Context } from './context.ts';

/** The symbol is global, so that another copy of this library, bundled with a plugin, finds the values too. */
const VALUES: unique symbol = Symbol.for('todo-item-service values');

/** The values of one request. The function `slot` uses symbols as keys; `librarySlot` uses names. */
export type SlotValues = Record<PropertyKey, unknown>;

/** A context that this library creates. All copies share the values of its slots. An object spread has no slots. */
export abstract class SlottedContext extends Context {
  readonly #values: SlotValues;

  /** A copy passes the `values` of its original. */
  constructor(values: SlotValues = {}) {
    super();
    this.#values = values;
  }

  get [VALUES](): SlotValues | undefined {
    return #values in this ? this.#values : undefined;
  }
}

/** Returns the values that all copies of a context share; undefined for a value that is not a context. */
export const slotValuesOf = (context: Context | undefined): SlotValues | undefined =>
  (context as SlottedContext | undefined)?.[VALUES];

/**
 * Creates a slot for this library. Several copies of the library share the slots that have the same name. `find`
 * returns undefined for an empty slot, and for an object that is not a context of this library.
 */
export function librarySlot<Value>(name: string) {
  const key = `todo-item-service ${name}`;
  return {
    set(context: Context, value: Value | undefined): void {
      const values = slotValuesOf(context);
      if (values !== undefined) values[key] = value;
    },
    find: (context: Context): Value | undefined => slotValuesOf(context)?.[key] as Value | undefined,
  };
}
