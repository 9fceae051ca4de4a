/** A store with promises over a plain `Map`. It is the example for authors of stores. */
import { randomUUID } from 'node:crypto';
import { type Representation, representation, serializer } from '../../src/extending.ts';
import type { Version } from '../../src/http.ts';
import type { Store } from '../../src/plugins/collection/collection.ts';
import { type TodoItem, todoSchema } from '../../src/plugins/todo/todo.ts';

type Item = Representation<TodoItem>;

/** Each change creates a UUID as the new version of the item and the list. */
export class MapStore implements Store<TodoItem> {
  readonly #items = new Map<string, Item>();
  write = serializer(todoSchema(), 'camelCase');
  #version: string = randomUUID();

  async list() {
    const texts = [...this.#items.values()].map(({ body }) => body);
    return representation<readonly TodoItem[]>(`[${texts.join(',')}]`, this.#version);
  }
  async get(key: string) {
    return this.#items.get(key);
  }
  async add(key: string, value: TodoItem) {
    if (this.#items.has(key)) throw new Error(`There is an item with the key "${key}"`);
    return this.#set(key, value);
  }
  async replace(key: string, value: TodoItem, version?: Version) {
    return this.#has(key, version) ? this.#set(key, value) : undefined;
  }
  async remove(key: string, version?: Version) {
    if (!this.#has(key, version)) return false;
    this.#version = randomUUID();
    return this.#items.delete(key);
  }
  #has(key: string, version = this.#items.get(key)?.version): boolean {
    return version !== undefined && version === this.#items.get(key)?.version;
  }
  #set(key: string, value: TodoItem): Item {
    this.#version = randomUUID();
    this.#items.set(key, representation(this.write(value), this.#version));
    return this.#items.get(key)!;
  }
}
