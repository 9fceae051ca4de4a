/**
 * Changes an item of a store as the conditions of a request allow, and answers (RFC 9110 §13.2.2).
 *
 * A request without conditions is one call of the store. For any other the item is read, the conditions are compared
 * with its version, and the store changes the item only if it still has it: no change of another process is lost (D76).
 */
import { after } from '../../extending.ts';
import { entityTag, matches, noneMatch, type Version } from '../../http.ts';
import { type Context, noContent, notFound, preconditionFailed, problem, type Reply } from '../../index.ts';
import type { Representation } from '../../operations.ts';
import type { Store } from './store.ts';
import { CollectionFull } from './store-error.ts';

type Refusal = Reply<404, never> | Reply<412, never>;
type Later<Value> = Value | Promise<Value>;

/** The answer 404 for a key that no item has. */
export const missingItem = (key: string): Reply<404, never> => notFound(`No item has the key "${key}"`);

/**
 * The answer to a request that must not change an item, 404, or 412 if a condition fails; undefined if it may.
 * `replaceItem` and `removeItem` ask this already. Call it where more is to be checked, for a collection in memory:
 * after the body has been read, and change the item before the next `await`, so that no other request comes between
 * (D4).
 */
export const refusedChange = (
  items: { get(key: string): Representation<unknown> | undefined },
  key: string,
  context: Context,
): Refusal | undefined => refusalOf(items.get(key), key, context);

function refusalOf(item: Representation<unknown> | undefined, key: string, { headers }: Context): Refusal | undefined {
  if (item === undefined) return missingItem(key);
  const etag = entityTag(item.version);
  return matches(headers['if-match'], etag) && noneMatch(headers['if-none-match'], etag)
    ? undefined
    : preconditionFailed('The item is not what If-Match or If-None-Match asks for; read it again');
}

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
): Later<Result | Refusal | Reply<507, never>> {
  const change = (version?: Version) => items.replace(key, value, version, sent);
  return unlessFull(() => conditionalChange(items, key, context, change, answer));
}

/** Removes an item and answers 204; else 404, or 412 if a condition fails. */
export function removeItem(
  items: Pick<Store<unknown>, 'get' | 'remove'>,
  key: string,
  context: Context,
): Later<Reply<204, never> | Refusal> {
  const change = (version?: Version) => items.remove(key, version);
  return conditionalChange(items, key, context, change, () => noContent());
}

/** `change` returns undefined or false for no change. */
function conditionalChange<Changed extends object | true, Result>(
  items: Pick<Store<unknown>, 'get'>,
  key: string,
  context: Context,
  change: (version?: Version) => Later<Changed | undefined | false>,
  answer: (changed: Changed) => Result,
): Later<Result | Refusal> {
  const { headers } = context;
  if (headers['if-match'] === undefined && headers['if-none-match'] === undefined)
    return after(change(), (changed) => (changed ? answer(changed) : missingItem(key)));
  let former: Version | undefined;
  const judge = (item: Representation<unknown> | undefined): Later<Result | Refusal> => {
    const refused = refusalOf(item, key, context);
    if (refused !== undefined) return refused;
    const { version } = item!;
    // What is changed gets a version that it never had, so a store that says this contradicts itself.
    if (version === former) throw new Error(`The store does not change "${key}", which has the given version`);
    former = version;
    return after(change(version), (changed) => (changed ? answer(changed) : after(items.get(key), judge)));
  };
  return after(items.get(key), judge);
}

/** The answer of `change`, or 507 with `Retry-After` if the store is full. Nothing has changed then. */
export function unlessFull<Change>(change: () => Later<Change>): Later<Change | Reply<507, never>> {
  try {
    return after<Change, Change | Reply<507, never>>(change(), (answer) => answer, full);
  } catch (error) {
    return full(error);
  }
}

function full(error: unknown): Reply<507, never> {
  if (!(error instanceof CollectionFull)) throw error;
  return problem(507, error.message, { headers: { 'Retry-After': '60' } });
}
