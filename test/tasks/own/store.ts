import { randomUUID } from 'node:crypto';
import * as library from '../../../src/index.ts';
import type { Shelf } from '../shared.ts';

const NOTE = library.schema('Note', {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', maxLength: 20 } },
});
type Note = library.Infer<typeof NOTE>;

export class ShelfStore implements library.Store<Note> {
  readonly #shelf: Shelf;

  constructor(shelf: Shelf) {
    this.#shelf = shelf;
  }

  async list() {
    const { texts, version } = await this.#shelf.all();
    return library.representation<readonly Note[]>(`[${texts.join(',')}]`, version);
  }

  async get(key: string) {
    const row = await this.#shelf.read(key);
    return row && library.representation<Note>(row.text, row.version);
  }

  async add(key: string, note: Note) {
    return (await this.#write(key, note))!;
  }

  replace(key: string, note: Note, version?: library.Version) {
    return this.#write(key, note, (version as number | undefined) ?? 'any');
  }

  remove(key: string, version?: library.Version) {
    return this.#shelf.erase(key, version as number | undefined);
  }

  async #write(key: string, note: Note, expected?: number | 'any') {
    const text = JSON.stringify(note);
    const version = await this.#shelf.write(key, text, expected);
    return version === undefined ? undefined : library.representation<Note>(text, version);
  }
}

function notes(store: library.Store<Note>): library.Plugin {
  const read = library.operation({
    method: 'GET',
    path: '{id}',
    responses: { 200: { schema: NOTE, headers: library.itemEtag }, ...library.readResponses },
    async handle({ values: { id } }) {
      const note = await store.get(id);
      return note === undefined ? library.missingItem(id) : library.ok(note);
    },
  });
  const list = library.operation({
    method: 'GET',
    path: '',
    responses: { 200: { schema: { type: 'array', items: NOTE }, headers: library.listEtag }, ...library.listResponses },
    handle: async () => library.ok(await store.list()),
  });
  const add = library.operation({
    method: 'POST',
    path: '',
    body: NOTE,
    responses: { 201: { schema: NOTE, location: read, headers: library.createdHeaders } },
    async handle({ body }) {
      const id = randomUUID();
      return library.created(await store.add(id, body), read, { id });
    },
  });
  const replace = library.operation({
    method: 'PUT',
    path: '{id}',
    body: NOTE,
    responses: { 204: {}, ...library.changeResponses },
    handle: ({ context, values: { id }, body }) =>
      library.replaceItem(store, { key: id, value: body }, context, () => library.noContent()),
  });
  const remove = library.operation({
    method: 'DELETE',
    path: '{id}',
    responses: { 204: {}, ...library.removeResponses },
    handle: ({ context, values: { id } }) => library.removeItem(store, id, context),
  });
  return {
    name: 'notes',
    controllers: [{ name: 'Notes', path: 'notes', operations: [read, list, add, replace, remove] }],
  };
}

export const applicationWith = (store: library.Store<Note> = new library.RepresentedCollection(NOTE, 'camelCase')) =>
  library.application([notes(store), library.description({ title: 'Notes' })]);
