/** The values that all copies of a context share, and the places of this library itself among them. */
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

/** The values that all copies of a context share; undefined for an object that is not a context of this library. */
export const slotValuesOf = (context: Context): SlotValues | undefined => (context as SlottedContext)[VALUES];

/** A typed place of this library for one value of each request; undefined where none was set. */
export interface OwnSlot<Value> {
  set(context: Context, value: Value | undefined): void;
  find(context: Context): Value | undefined;
}

/**
 * Makes a slot of this library itself. Two copies of the library share it by its name. An object that is not a context
 * of this library has no value.
 */
export function ownSlot<Value>(name: string): OwnSlot<Value> {
  const key = `todo-item-service ${name}`;
  return {
    set(context, value) {
      const values = slotValuesOf(context);
      if (values !== undefined) values[key] = value;
    },
    find: (context) => slotValuesOf(context)?.[key] as Value | undefined,
  };
}
