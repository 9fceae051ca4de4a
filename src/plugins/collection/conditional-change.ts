/**
 * Changes an item of a store if the conditions of the request hold, and returns the reply (RFC 9110 §13.2.2).
 *
 * A request without conditions makes one call to the store. For a request with conditions, the item is read, and its
 * version is compared with the conditions. The store then changes the item only if it still has that version, so the
 * changes of other processes are not overwritten (D76).
 */
import { after } from '../../core/http/after.ts';
import type { Context } from '../../core/http/context.ts';
import { matches, noneMatch } from '../../core/http/headers/conditional.ts';
import { entityTag, type Representation, type Version } from '../../core/http/representation.ts';
import { isRecord } from '../../core/options/shape.ts';
import { notFound, problem } from '../../operations/operation/problems.ts';
import { noContent, type Result } from '../../operations/operation/results.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import type { InferBody, InferReply, Schema } from '../../operations/schema/schema.ts';
import { joinedObject } from '../../operations/schema/schema.ts';
import { deserializer } from '../../operations/schema/serialize.ts';
import type { Later, Store } from './store.ts';

type Refusal = Result<404, never> | Result<412, never>;

/** Returns the 404 reply for a key that no item has. */
export const missingItem = (key: string): Result<404, never> => notFound(`No item has the key "${key}"`);

/**
 * Returns a 404 reply if no item has the key, and a 412 reply if a condition of the request fails. Returns undefined if
 * the request may change the item. `replaceItem` and `removeItem` make this check themselves, so call this function
 * only for other changes. With a collection in memory, call it after reading the body, and change the item before the
 * next `await`: otherwise another request could change the item in between (D4).
 */
export function refusedChange(
  items: { get(key: string): Representation<unknown> | undefined },
  key: string,
  context: Context,
): Refusal | undefined;
/**
 * With an asynchronous store, another request may change the item between this check and your change. Read the item
 * first, check it with `refusedChange({ get: () => item }, …)`, and pass its version to `replace` or `remove`. They
 * then change the item only if it still has this version.
 */
export function refusedChange(
  items: Pick<Store<unknown>, 'get'>,
  key: string,
  context: Context,
): Refusal | undefined | Promise<Refusal | undefined>;
export function refusedChange(items: Pick<Store<unknown>, 'get'>, key: string, context: Context) {
  return after(items.get(key), (item) => refusalOf(item, key, context));
}

function refusalOf(item: Representation<unknown> | undefined, key: string, { headers }: Context): Refusal | undefined {
  if (item === undefined) return missingItem(key);
  const etag = entityTag(item.version);
  return matches(headers['if-match'], etag) && noneMatch(headers['if-none-match'], etag)
    ? undefined
    : problem(412, 'The ETag of the item does not meet If-Match or If-None-Match; read the item again');
}

/**
 * Replaces the value of an item, calls `answer` with the new item, and resolves to its result. Resolves to 404 if no
 * item has the key, and to 412 if a condition fails. Rejects with `CollectionFull`, which becomes a 507, if the store is
 * full. Call this after reading the body (D4).
 *
 * If you pass a `schema`, the item keeps the values of its `readOnly` properties. The item is then read first, and
 * replaced only if it has not changed in the meantime.
 *
 * ```ts
 * handle: ({ context, values: { id: key }, body: value }) =>
 *   replaceItem(notes, { key, value, schema: Note }, context, ok),
 * ```
 */
export function replaceItem<const S extends Schema, Answer>(
  items: Pick<Store<InferReply<S>>, 'get' | 'replace'>,
  change: Replacement<InferBody<S>> & { readonly schema: S },
  context: Context,
  answer: (item: Representation<InferReply<S>>) => Answer,
): Promise<Answer | Refusal>;
export function replaceItem<Value, Answer>(
  items: Pick<Store<Value>, 'get' | 'replace'>,
  change: Pick<Replacement<Value>, 'key' | 'value'>,
  context: Context,
  answer: (item: Representation<Value>) => Answer,
): Promise<Answer | Refusal>;
export async function replaceItem<Answer>(
  items: Pick<Store<unknown>, 'get' | 'replace'>,
  { key, value, schema, naming = 'camelCase' }: Replacement<unknown>,
  context: Context,
  answer: (item: Representation<unknown>) => Answer,
): Promise<Answer | Refusal> {
  const { headers } = context;
  if (schema === undefined && headers['if-match'] === undefined && headers['if-none-match'] === undefined) {
    const item = await items.replace(key, value);
    return item === undefined ? missingItem(key) : answer(item);
  }
  const replace = ({ body, version }: Representation<unknown>) => {
    const next = schema === undefined ? value : withReadOnly(value, readerOf(schema, naming)(body), schema);
    return items.replace(key, next, version);
  };
  return changeItem(items, key, context, replace, answer);
}

interface Replacement<Value> {
  readonly key: string;
  readonly value: Value;
  /** The schema of the stored values. Members that it declares `readOnly` keep their stored values. */
  readonly schema?: Schema | undefined;
  /** The naming of the properties in the store. Default: `camelCase`. */
  readonly naming?: PropertyNaming | undefined;
}

type Reader = (text: string) => unknown;

/** A cache, because compiling a schema for `PascalCase` takes 0.1 ms, several times as long as the rest of a PUT. */
const readers = { camelCase: new WeakMap<Schema, Reader>(), PascalCase: new WeakMap<Schema, Reader>() };

function readerOf(schema: Schema, naming: PropertyNaming): Reader {
  const reader = readers[naming].get(schema) ?? deserializer(schema, naming);
  readers[naming].set(schema, reader);
  return reader;
}

/** Replaces the `readOnly` members by the stored ones. Lists stay, because their elements have no identity (D76). */
function withReadOnly(value: unknown, stored: unknown, schema: Schema): unknown {
  const { properties = {} } = joinedObject(schema) ?? {};
  if (!isRecord(value) || !isRecord(stored)) return value;
  const storedMembers = Object.entries(properties).flatMap(([name, property]) => {
    const former = stored[name];
    if (former === undefined) return [];
    if (property.readOnly === true) return [[name, former]];
    return isRecord(former) ? [[name, withReadOnly(value[name], former, property)]] : [];
  });
  return { ...value, ...Object.fromEntries(storedMembers) };
}

/** Removes an item and returns 204. Returns 404 if no item has the key, and 412 if a condition fails. */
export async function removeItem(
  items: Pick<Store<unknown>, 'get' | 'remove'>,
  key: string,
  context: Context,
): Promise<Result<204, never> | Refusal> {
  const { headers } = context;
  if (headers['if-match'] === undefined && headers['if-none-match'] === undefined)
    return (await items.remove(key)) ? noContent() : missingItem(key);
  const remove = ({ version }: Representation<unknown>) => items.remove(key, version);
  return changeItem(items, key, context, remove, () => noContent());
}

/**
 * Reads the item and changes it, if the conditions of the request hold. Repeats this if another request has changed the
 * item in between. `change` returns undefined or false if it changed nothing.
 */
async function changeItem<Changed, Answer>(
  items: Pick<Store<unknown>, 'get'>,
  key: string,
  context: Context,
  change: (item: Representation<unknown>) => Later<Changed | undefined | false>,
  answer: (changed: Changed) => Answer,
): Promise<Answer | Refusal> {
  let former: Version | undefined;
  for (;;) {
    const item = await items.get(key);
    const refused = refusalOf(item, key, context);
    if (refused !== undefined) return refused;
    // The store rejected this version in the last round, so the item must have another version now.
    if (item!.version === former) throw new Error(`The store does not change "${key}", although the version matches`);
    former = item!.version;
    const changed = await change(item!);
    if (changed) return answer(changed);
  }
}
