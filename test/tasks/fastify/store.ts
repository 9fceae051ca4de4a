import { randomUUID } from 'node:crypto';
import swagger from '@fastify/swagger';
import { type FastifyPluginAsyncTypebox, type Static, Type } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import type { Shelf } from '../shared.ts';

const Note = Type.Object({ text: Type.String({ maxLength: 20 }) });
type Note = Static<typeof Note>;
const Id = Type.Object({ id: Type.String() });
const Failure = Type.Object({ message: Type.String() });

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

const notes: FastifyPluginAsyncTypebox<{ store: Store }> = async (scope, { store }) => {
  const missing = (id: string) => ({ message: `There is no note ${id}` });
  scope.get('/notes', { schema: { response: { 200: Type.Array(Note) } } }, () => store.list());
  scope.get('/notes/:id', { schema: { params: Id, response: { 200: Note, 404: Failure } } }, async (request, reply) => {
    const { id } = request.params;
    return (await store.get(id)) ?? reply.code(404).send(missing(id));
  });
  scope.post('/notes', { schema: { body: Note, response: { 201: Note } } }, async (request, reply) => {
    const id = randomUUID();
    await store.add(id, request.body);
    return reply.code(201).header('Location', `/notes/${id}`).send(request.body);
  });
  scope.put(
    '/notes/:id',
    { schema: { params: Id, body: Note, response: { 204: Type.Null(), 404: Failure } } },
    async (request, reply) => {
      const { id } = request.params;
      if (!(await store.replace(id, request.body))) return reply.code(404).send(missing(id));
      return reply.code(204).send(null);
    },
  );
  scope.delete(
    '/notes/:id',
    { schema: { params: Id, response: { 204: Type.Null(), 404: Failure } } },
    async (request, reply) => {
      const { id } = request.params;
      if (!(await store.remove(id))) return reply.code(404).send(missing(id));
      return reply.code(204).send(null);
    },
  );
};

export async function applicationWith(store: Store = new MemoryStore()) {
  const app = Fastify();
  await app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'Notes', version: '1' } } });
  await app.register(notes, { store });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  return app;
}
