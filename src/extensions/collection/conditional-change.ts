/**
 * Changes an item of a store as the conditions of a request allow, and answers (RFC 9110 §13.2.2).
 *
 * A request without `If-Match` and `If-None-Match` is one call of the store. For any other the item is read, the
 * conditions are compared with its version, and the store changes the item only if it still has this version. A change
 * of another process in between is so never lost (D76).
 */

import { after } from '../../extending.ts';
import type { Version } from '../../http.ts';
import { type Context, noContent, type Reply } from '../../index.ts';
import type { Representation } from '../../operations.ts';
import { missingItem, refusalOf, unlessFull } from './refused-change.ts';
import type { Store } from './store.ts';

type Refusal = Reply<404, never> | Reply<412, never>;

/**
 * Replaces the value of an item, and answers with `answer`; else 404, 412 if a condition fails, or 507. `sent` is the
 * JSON text that the value was read from, if there is one. Call it after the body has been read (D4).
 *
 * ```ts
 * handle: ({ context, values: { id: key }, body: value }) => replaceItem(notes, { key, value }, context, ok),
 * ```
 */
export function replaceItem<Value, Result>(
  items: Pick<Store<Value>, 'get' | 'replace'>,
  { key, value, sent }: { readonly key: string; readonly value: Value; readonly sent?: string | undefined },
  context: Context,
  answer: (item: Representation<Value>) => Result,
): Result | Refusal | Reply<507, never> | Promise<Result | Refusal | Reply<507, never>> {
  const change = (version?: Version) => items.replace(key, value, version, sent);
  return unlessFull(() => conditionalChange(items, key, context, change, answer));
}

/** Removes an item and answers 204; else 404, or 412 if a condition fails. */
export function removeItem(
  items: Pick<Store<unknown>, 'get' | 'remove'>,
  key: string,
  context: Context,
): Reply<204, never> | Refusal | Promise<Reply<204, never> | Refusal> {
  const change = (version?: Version) => items.remove(key, version);
  return conditionalChange(items, key, context, change, removed);
}

const removed = (_: true): Reply<204, never> => noContent();

type Outcome<Changed> = Changed | undefined | false;

/** `change` returns undefined or false for no change. */
function conditionalChange<Changed, Result>(
  items: Pick<Store<unknown>, 'get'>,
  key: string,
  context: Context,
  change: (version?: Version) => Outcome<Changed> | Promise<Outcome<Changed>>,
  answer: (changed: Changed) => Result,
): Result | Refusal | Promise<Result | Refusal> {
  const { headers } = context;
  if (headers['if-match'] === undefined && headers['if-none-match'] === undefined) {
    return after<Outcome<Changed>, Result | Refusal>(change(), (changed) =>
      changed === undefined || changed === false ? missingItem(key) : answer(changed),
    );
  }
  let former: Version | undefined;
  const judge = (item: Representation<unknown> | undefined): Result | Refusal | Promise<Result | Refusal> => {
    const refused = refusalOf(item, key, context);
    if (refused !== undefined) return refused;
    const { version } = item!;
    // What is changed gets a version that it never had, so a store that says this contradicts itself.
    if (version === former) throw new Error(`The store does not change "${key}", which has the given version`);
    former = version;
    return after(change(version), (changed) =>
      changed === undefined || changed === false ? after(items.get(key), judge) : answer(changed),
    );
  };
  return after(items.get(key), judge);
}
