/**
 * Changes an item of a store as the conditions of a request allow, and answers (RFC 9110 §13.2.2).
 *
 * A request without conditions is one call of the store. For any other the item is read, the conditions are compared
 * with its version, and the store changes the item only if it still has it: no change of another process is lost (D76).
 */
import { after } from '../../core/message/after.ts';
import type { Context } from '../../core/message/context.ts';
import { matches, noneMatch } from '../../core/message/headers/conditional.ts';
import type { Reply } from '../../core/message/reply.ts';
import { entityTag, type Representation, type Version } from '../../core/message/representation.ts';
import { isRecord } from '../../core/options/shape.ts';
import { noContent } from '../../operations/operation/answers.ts';
import { notFound, problem } from '../../operations/operation/problems.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import type { InferBody, InferReply, Schema } from '../../operations/schema/schema.ts';
import { joinedObject } from '../../operations/schema/schema.ts';
import { deserializer } from '../../operations/schema/serialize.ts';
import type { Later, Store } from './store.ts';
import { CollectionFull } from './store-error.ts';

type Refusal = Reply<404, never> | Reply<412, never>;

/** The answer 404 for a key that no item has. */
export const missingItem = (key: string): Reply<404, never> => notFound(`No item has the key "${key}"`);

/**
 * The answer to a request that must not change an item, 404, or 412 if a condition fails; undefined if it may.
 * `replaceItem` and `removeItem` ask this already. Call it where more is to be checked, for a collection in memory:
 * after the body has been read, and change the item before the next `await`, so that no other request comes between
 * (D4).
 */
export function refusedChange(
  items: { get(key: string): Representation<unknown> | undefined },
  key: string,
  context: Context,
): Refusal | undefined;
/**
 * Of a store that waits, another request may come between this and the change. So read the item first, check it, and
 * give its version to `replace` or `remove`, which then change nothing else: `refusedChange({ get: () => item }, …)`.
 */
export function refusedChange(
  items: Pick<Store<unknown>, 'get'>,
  key: string,
  context: Context,
): Later<Refusal | undefined>;
export function refusedChange(items: Pick<Store<unknown>, 'get'>, key: string, context: Context) {
  return after(items.get(key), (item) => refusalOf(item, key, context));
}

function refusalOf(item: Representation<unknown> | undefined, key: string, { headers }: Context): Refusal | undefined {
  if (item === undefined) return missingItem(key);
  const etag = entityTag(item.version);
  return matches(headers['if-match'], etag) && noneMatch(headers['if-none-match'], etag)
    ? undefined
    : problem(412, 'The item is not what If-Match or If-None-Match asks for; read it again');
}

/**
 * Replaces the value of an item, and answers with `answer`; else 404, 412 if a condition fails, or 507. Call it after
 * the body has been read (D4).
 *
 * With a `schema` that has `readOnly` properties, the item keeps them: it is read then, and written only if it has not
 * changed in between.
 *
 * ```ts
 * handle: ({ context, values: { id: key }, body: value }) =>
 *   replaceItem(notes, { key, value, schema: Note }, context, ok),
 * ```
 */
export function replaceItem<const S extends Schema, Result>(
  items: Pick<Store<InferReply<S>>, 'get' | 'replace'>,
  change: {
    readonly key: string;
    readonly value: InferBody<S>;
    /** Keeps the members of the item that are `readOnly` in it, which no body has. The store has values of it. */
    readonly schema: S;
    /** How the store spells the names of properties: `camelCase` unless given. */
    readonly naming?: PropertyNaming | undefined;
  },
  context: Context,
  answer: (item: Representation<InferReply<S>>) => Result,
): Later<Result | Refusal | Reply<507, never>>;
export function replaceItem<Value, Result>(
  items: Pick<Store<Value>, 'get' | 'replace'>,
  change: { readonly key: string; readonly value: Value },
  context: Context,
  answer: (item: Representation<Value>) => Result,
): Later<Result | Refusal | Reply<507, never>>;
export function replaceItem<Result>(
  items: Pick<Store<unknown>, 'get' | 'replace'>,
  { key, value, schema, naming = 'camelCase' }: Replacement,
  context: Context,
  answer: (item: Representation<unknown>) => Result,
): Later<Result | Refusal | Reply<507, never>> {
  const replace = (item?: Representation<unknown>): ReturnType<typeof items.replace> => {
    const isMerged = schema !== undefined && item !== undefined;
    const next = isMerged ? withReadOnly(value, readerOf(schema, naming)(item.body), schema) : value;
    return items.replace(key, next, item?.version);
  };
  return unlessFull(() => conditionalChange(items, key, context, replace, answer, schema !== undefined));
}

interface Replacement {
  readonly key: string;
  readonly value: unknown;
  readonly schema?: Schema | undefined;
  readonly naming?: PropertyNaming | undefined;
}

type Reader = (text: string) => unknown;

/** Compiling a schema for `PascalCase` takes 0.1 ms, several times as long as the rest of a PUT. */
const readers = { camelCase: new WeakMap<Schema, Reader>(), PascalCase: new WeakMap<Schema, Reader>() };

function readerOf(schema: Schema, naming: PropertyNaming): Reader {
  const reader = readers[naming].get(schema) ?? deserializer(schema, naming);
  readers[naming].set(schema, reader);
  return reader;
}

/** The value with the members that are `readOnly` as they are stored, also in objects inside, but not in lists. */
function withReadOnly(value: unknown, stored: unknown, schema: Schema): unknown {
  const { properties = {} } = joinedObject(schema) ?? {};
  if (!isRecord(value) || !isRecord(stored)) return value;
  const kept = Object.entries(properties).flatMap(([name, property]) => {
    const former = stored[name];
    if (former === undefined) return [];
    if (property.readOnly === true) return [[name, former]];
    return isRecord(former) ? [[name, withReadOnly(value[name], former, property)]] : [];
  });
  return { ...value, ...Object.fromEntries(kept) };
}

/** Removes an item and answers 204; else 404, or 412 if a condition fails. */
export const removeItem = (
  items: Pick<Store<unknown>, 'get' | 'remove'>,
  key: string,
  context: Context,
): Later<Reply<204, never> | Refusal> =>
  conditionalChange(
    items,
    key,
    context,
    (item) => items.remove(key, item?.version),
    () => noContent(),
  );

/**
 * `change` gets the item that was read, and returns undefined or false for no change. `isRead`: it needs the item also
 * where the request has no conditions.
 */
async function conditionalChange<Changed, Result>(
  items: Pick<Store<unknown>, 'get'>,
  key: string,
  context: Context,
  change: (item?: Representation<unknown>) => Later<Changed | undefined | false>,
  answer: (changed: Changed) => Result,
  isRead = false,
): Promise<Result | Refusal> {
  const { headers } = context;
  if (!isRead && headers['if-match'] === undefined && headers['if-none-match'] === undefined) {
    const changed = await change();
    return changed ? answer(changed) : missingItem(key);
  }
  let former: Version | undefined;
  for (;;) {
    const item = await items.get(key);
    const refused = refusalOf(item, key, context);
    if (refused !== undefined) return refused;
    // A change gives an item a version that it never had, so a store that says this contradicts itself.
    if (item!.version === former) throw new Error(`The store does not change "${key}", which has the given version`);
    former = item!.version;
    const changed = await change(item);
    if (changed) return answer(changed);
  }
}

/**
 * The answer of `change`, or 507 with `Retry-After` if the store is full. Nothing has changed then. If the store answers
 * at once, so does this: a promise would cost a POST 4 %.
 */
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
