/** Two kinds of values, each as a collection is given them: a flat one like a to-do item, and one with an array. */
import assert from 'node:assert/strict';
import type { Representation, StreamedRepresentation } from '../../../src/core/message/representation.ts';
import {
  type CollectionLimits,
  RepresentedCollection,
} from '../../../src/extensions/collection/represented-collection.ts';
import { type Schema, schema } from '../../../src/operations/schema/schema.ts';

type ObjectSchema = Schema & { readonly type: 'object' };
type Value = Readonly<Record<string, unknown>>;

/** A kind of values, made of a text and a flag. */
export interface Kind {
  readonly name: string;
  readonly schema: ObjectSchema;
  value(key: string, text: string | null, flag: boolean): Value;
}

export const task: Kind = {
  name: 'task',
  schema: schema('Task', {
    type: 'object',
    properties: {
      key: { type: 'string' },
      name: { type: 'string', 'x-nullable': true },
      isComplete: { type: 'boolean', default: false },
    },
  }),
  value: (key, text, flag) => ({ key, name: text, isComplete: flag }),
};

export const note: Kind = {
  name: 'note',
  schema: schema('Note', {
    type: 'object',
    required: ['id'],
    properties: {
      words: { type: 'integer' },
      lines: { type: 'array', items: { type: 'string', 'x-nullable': true } },
      id: { type: 'string' },
      isPinned: { type: 'boolean', 'x-nullable': true },
    },
  }),
  value: (key, text, flag) => ({
    words: text === null ? 0 : text.length,
    lines: flag ? [text] : [text, null],
    id: key,
    isPinned: flag ? true : null,
  }),
};

/** A collection of one kind, whose keys are numbered. */
export class Collection {
  readonly inner: RepresentedCollection<ObjectSchema>;
  readonly #kind: Kind;
  #keys = 0;

  constructor(kind: Kind, limits: CollectionLimits = {}) {
    this.#kind = kind;
    this.inner = new RepresentedCollection(kind.schema, 'camelCase', limits);
  }

  add(text: string | null, flag = false): string {
    const key = `key-${String(++this.#keys).padStart(12, '0')}`;
    this.inner.add(key, this.#kind.value(key, text, flag));
    return key;
  }

  replace(key: string, text: string | null, flag = false): void {
    this.inner.replace(key, this.#kind.value(key, text, flag));
  }

  /** The list, whose length is checked. */
  async values(): Promise<Value[]> {
    const list = this.inner.list();
    const bytes = await bytesOf(list);
    assert.equal(bytes.length, list.length);
    return JSON.parse(bytes.toString());
  }
}

export async function bytesOf(list: Representation<unknown> | StreamedRepresentation<unknown>): Promise<Buffer> {
  const parts = 'body' in list ? [list.body] : await list.stream().toArray();
  return Buffer.from(parts.join(''));
}
