/** A store over a plain `Map`, with promises: the example for who writes one. */
import { randomUUID } from 'node:crypto';
import * as library from '../../src/index.ts';

type Item = library.Representation<library.TodoItem>;

/** Each change has a UUID, the version of the item and of the list. */
export class MapStore implements library.Store<library.TodoItem> {
  readonly #items = new Map<string, Item>();
  write = library.serializer(library.todoSchema(), 'camelCase');
  #version: string = randomUUID();

  async list() {
    const texts = [...this.#items.values()].map(({ body }) => body);
    return library.representation<readonly library.TodoItem[]>(`[${texts.join(',')}]`, this.#version);
  }
  async get(key: string) {
    return this.#items.get(key);
  }
  async add(key: string, value: library.TodoItem) {
    if (this.#items.has(key)) throw new Error(`There is an item with the key "${key}"`);
    return this.#set(key, value);
  }
  async replace(key: string, value: library.TodoItem, version?: library.Version) {
    return this.#has(key, version) ? this.#set(key, value) : undefined;
  }
  async remove(key: string, version?: library.Version) {
    if (!this.#has(key, version)) return false;
    this.#version = randomUUID();
    return this.#items.delete(key);
  }
  #has(key: string, version = this.#items.get(key)?.version): boolean {
    return version !== undefined && version === this.#items.get(key)?.version;
  }
  #set(key: string, value: library.TodoItem): Item {
    this.#version = randomUUID();
    this.#items.set(key, library.representation(this.write(value), this.#version));
    return this.#items.get(key)!;
  }
}
