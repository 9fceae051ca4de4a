import { randomUUID } from 'node:crypto';
import {
  changeResponses,
  createdHeaders,
  itemEtag,
  listEtag,
  listResponses,
  missingItem,
  RepresentedCollection,
  readResponses,
  removeItem,
  removeResponses,
  replaceItem,
  type Store,
} from '../../../src/extensions/collection/collection.ts';
import { description } from '../../../src/extensions/description/description.ts';
import type { Version } from '../../../src/http.ts';
import { application, created, type Infer, noContent, ok, operation, type Plugin, schema } from '../../../src/index.ts';
import { representation } from '../../../src/operations.ts';
import type { Shelf } from '../shared.ts';

const NOTE = schema('Note', {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', maxLength: 20 } },
});
type Note = Infer<typeof NOTE>;

export class ShelfStore implements Store<Note> {
  readonly #shelf: Shelf;

  constructor(shelf: Shelf) {
    this.#shelf = shelf;
  }

  async list() {
    const { texts, version } = await this.#shelf.all();
    return representation<readonly Note[]>(`[${texts.join(',')}]`, version);
  }

  async get(key: string) {
    const row = await this.#shelf.read(key);
    return row && representation<Note>(row.text, row.version);
  }

  async add(key: string, note: Note) {
    return (await this.#write(key, note))!;
  }

  replace(key: string, note: Note, version?: Version) {
    return this.#write(key, note, (version as number | undefined) ?? 'any');
  }

  remove(key: string, version?: Version) {
    return this.#shelf.erase(key, version as number | undefined);
  }

  async #write(key: string, note: Note, expected?: number | 'any') {
    const text = JSON.stringify(note);
    const version = await this.#shelf.write(key, text, expected);
    return version === undefined ? undefined : representation<Note>(text, version);
  }
}

function notes(store: Store<Note>): Plugin {
  const read = operation({
    method: 'GET',
    path: '{id}',
    responses: { 200: { schema: NOTE, headers: itemEtag }, ...readResponses },
    async handle({ values: { id } }) {
      const note = await store.get(id);
      return note === undefined ? missingItem(id) : ok(note);
    },
  });
  const list = operation({
    method: 'GET',
    path: '',
    responses: { 200: { schema: { type: 'array', items: NOTE }, headers: listEtag }, ...listResponses },
    handle: async () => ok(await store.list()),
  });
  const add = operation({
    method: 'POST',
    path: '',
    body: NOTE,
    responses: { 201: { schema: NOTE, location: read, headers: createdHeaders } },
    async handle({ body }) {
      const id = randomUUID();
      return created(await store.add(id, body), read, { id });
    },
  });
  const replace = operation({
    method: 'PUT',
    path: '{id}',
    body: NOTE,
    responses: { 204: {}, ...changeResponses },
    handle: ({ context, values: { id }, body }) =>
      replaceItem(store, { key: id, value: body }, context, () => noContent()),
  });
  const remove = operation({
    method: 'DELETE',
    path: '{id}',
    responses: { 204: {}, ...removeResponses },
    handle: ({ context, values: { id } }) => removeItem(store, id, context),
  });
  return {
    name: 'notes',
    controllers: [{ name: 'Notes', path: 'notes', operations: [read, list, add, replace, remove] }],
  };
}

export const applicationWith = (store: Store<Note> = new RepresentedCollection(NOTE, 'camelCase')) =>
  application([notes(store), description({ title: 'Notes' })]);
