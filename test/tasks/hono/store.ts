import { randomUUID } from 'node:crypto';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { Shelf } from '../shared.ts';

const Note = z.object({ text: z.string().max(20) }).openapi('Note');
type Note = z.infer<typeof Note>;
const Id = z.object({ id: z.string() });
const json = <S extends z.ZodType>(schema: S) => ({ 'application/json': { schema } });
const noNote = { content: json(z.object({ message: z.string() })), description: 'If there is none' };

interface Store {
  list(): Promise<Note[]>;
  get(id: string): Promise<Note | undefined>;
  add(id: string, note: Note): Promise<void>;
  replace(id: string, note: Note): Promise<boolean>;
  remove(id: string): Promise<boolean>;
}

class MemoryStore implements Store {
  readonly #notes = new Map<string, Note>();

  async list() {
    return [...this.#notes.values()];
  }

  async get(id: string) {
    return this.#notes.get(id);
  }

  async add(id: string, note: Note) {
    this.#notes.set(id, note);
  }

  async replace(id: string, note: Note) {
    return this.#notes.has(id) && this.#notes.set(id, note).has(id);
  }

  async remove(id: string) {
    return this.#notes.delete(id);
  }
}

export class ShelfStore implements Store {
  readonly #shelf: Shelf;

  constructor(shelf: Shelf) {
    this.#shelf = shelf;
  }

  async list() {
    return (await this.#shelf.all()).texts.map((text) => JSON.parse(text) as Note);
  }

  async get(id: string) {
    const row = await this.#shelf.read(id);
    return row && (JSON.parse(row.text) as Note);
  }

  async add(id: string, note: Note) {
    await this.#shelf.write(id, JSON.stringify(note));
  }

  async replace(id: string, note: Note) {
    return (await this.#shelf.write(id, JSON.stringify(note), 'any')) !== undefined;
  }

  remove(id: string) {
    return this.#shelf.erase(id);
  }
}

export function applicationWith(store: Store = new MemoryStore()) {
  const app = new OpenAPIHono();
  const missing = (id: string) => ({ message: `There is no note ${id}` });
  const answers = { 204: { description: 'Done' }, 404: noNote };

  app.openapi(
    createRoute({
      method: 'get',
      path: '/notes',
      responses: { 200: { content: json(z.array(Note)), description: 'The notes' } },
    }),
    async (c) => c.json(await store.list(), 200),
  );
  app.openapi(
    createRoute({
      method: 'get',
      path: '/notes/{id}',
      request: { params: Id },
      responses: { 200: { content: json(Note), description: 'The note' }, 404: noNote },
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const note = await store.get(id);
      return note === undefined ? c.json(missing(id), 404) : c.json(note, 200);
    },
  );
  app.openapi(
    createRoute({
      method: 'post',
      path: '/notes',
      request: { body: { content: json(Note), required: true } },
      responses: { 201: { content: json(Note), description: 'The note' } },
    }),
    async (c) => {
      const note = c.req.valid('json');
      const id = randomUUID();
      await store.add(id, note);
      c.header('Location', `/notes/${id}`);
      return c.json(note, 201);
    },
  );
  app.openapi(
    createRoute({
      method: 'put',
      path: '/notes/{id}',
      request: { params: Id, body: { content: json(Note), required: true } },
      responses: answers,
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      return (await store.replace(id, c.req.valid('json'))) ? c.body(null, 204) : c.json(missing(id), 404);
    },
  );
  app.openapi(
    createRoute({ method: 'delete', path: '/notes/{id}', request: { params: Id }, responses: answers }),
    async (c) => {
      const { id } = c.req.valid('param');
      return (await store.remove(id)) ? c.body(null, 204) : c.json(missing(id), 404);
    },
  );
  app.doc31('/openapi.json', { openapi: '3.1.0', info: { title: 'Notes', version: '1' } });
  return app;
}
