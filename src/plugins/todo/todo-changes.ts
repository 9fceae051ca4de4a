/** Declares the operations that change to-do items: POST, PUT, PATCH and DELETE. */
import { entityTag } from '../../core/http/representation.ts';
import type { AnyOperation } from '../../operations/operation/operation.ts';
import type { OperationReference } from '../../operations/operation/operation-reference.ts';
import { badRequest } from '../../operations/operation/problems.ts';
import { created, noContent } from '../../operations/operation/results.ts';
import { operation } from '../../operations/routes/operation-routes.ts';
import { type PropertyNaming, sentPointer, wireName } from '../../operations/schema/names.ts';
import type { Schema } from '../../operations/schema/schema.ts';
import {
  itemHeaders,
  itemResponses,
  removeItem,
  replaceItem,
  type Store,
  storeResponses,
} from '../collection/collection.ts';
import { keyParameter as parameters, type TodoItem, type TodoSchema } from './todo-item.ts';

/** The headers of a 204 for a PUT (RFC 9110 §9.3.4). */
const exactItemEtag = {
  ETag: {
    type: 'string',
    description: 'The entity tag of the item; present if the item is stored exactly as it was sent',
  },
} as const;

/** Keeps a byte order mark. A body with a byte order mark then differs from the stored text, which never has one. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Says what happens if a member is absent from a body (D5): it is refused, or gets its default or null. */
const absentMembers = ({ properties = {}, required = [] }: Schema, naming: PropertyNaming): string =>
  Object.entries(properties)
    .flatMap(([member, { 'x-nullable': isNullable, default: value = isNullable ? null : undefined }]) => {
      const name = `\`${wireName(member, naming)}\``;
      if (required.includes(member)) return `A body without ${name} is refused.`;
      return value === undefined ? [] : `An absent ${name} becomes ${JSON.stringify(value)}.`;
    })
    .join(' ');

/** Returns the operations in the order of the specification (§4.1). `Location` links to the operation `read`. */
export function changesOfItems(
  items: Store<TodoItem>,
  schema: TodoSchema,
  naming: PropertyNaming,
  newKey: () => string,
  read: OperationReference,
): readonly AnyOperation[] {
  const sent = (member: keyof TodoItem): string => `\`${wireName(member, naming)}\``;
  const absent = absentMembers(schema, naming);
  const body = { body: schema, bodyParameter: { name: 'item', description: 'The item.' } } as const;

  const create = operation({
    method: 'POST',
    path: '',
    summary: 'Creates an item.',
    remarks: `The service assigns the ${sent('key')}. ${absent}`,
    ...body,
    responses: {
      ...storeResponses(items, 'POST'),
      201: { description: 'Returns the newly created item', schema, location: read, headers: itemHeaders.created },
      ...itemResponses.create,
    },
    async handle({ body }) {
      const key = newKey();
      return created(await items.add(key, { ...body, key }), read, { id: key });
    },
  });

  const replace = operation({
    method: 'PUT',
    path: '{id}',
    summary: 'Replaces one item.',
    remarks: `The body is the whole item. Its ${sent('key')} must equal the key in the path. ${absent}`,
    parameters,
    ...body,
    responses: {
      ...storeResponses(items, 'PUT'),
      204: { headers: exactItemEtag },
      ...itemResponses.change,
      400: {
        description:
          'The body is absent, is not JSON or does not match its schema, or its key differs from the key in the path',
      },
    },
    async handle({ context, values: { id }, body }) {
      const text = decoder.decode(await context.body());
      if (body.key !== id) {
        const pointer = sentPointer(text, 'key', naming);
        return badRequest('The key in the body is not the id in the path', [{ pointer, detail: `Expected "${id}"` }]);
      }
      return replaceItem(items, { key: id, value: body }, context, (item) => {
        // The reply has an ETag only if the item is stored exactly as the client sent it (RFC 9110 §9.3.4, D38). A body
        // with a content coding, such as gzip, is stored in another form (D55).
        const isExact = context.headers['content-encoding'] === undefined && item.body === text;
        return noContent(isExact ? entityTag(item.version) : undefined);
      });
    },
  });

  const update = operation({
    method: 'PATCH',
    path: '{id}',
    summary: 'Updates one item.',
    remarks: `The body replaces the whole item under the key in the path. ${absent}`,
    parameters,
    ...body,
    responses: { ...storeResponses(items, 'PATCH'), 204: { headers: itemHeaders.one }, ...itemResponses.change },
    handle({ context, values: { id: key }, body }) {
      return replaceItem(items, { key, value: { ...body, key } }, context, (item) =>
        noContent(entityTag(item.version)),
      );
    },
  });

  const remove = operation({
    method: 'DELETE',
    path: '{id}',
    summary: 'Deletes one item.',
    remarks: 'A second DELETE of the same key is answered with 404.',
    parameters,
    responses: { ...storeResponses(items, 'DELETE'), 204: {}, ...itemResponses.remove },
    handle: ({ context, values: { id } }) => removeItem(items, id, context),
  });

  return [create, replace, update, remove];
}
