/** Two kinds of values, each as a collection is given them: a flat one like a to-do item, and one with an array. */
import assert from 'node:assert/strict';
import type { Representation, StreamedRepresentation } from '../../../src/core/message/representation.ts';
import { type Schema, schema } from '../../../src/core/operations/schema/schema.ts';
import {
  type CollectionLimits,
  RepresentedCollection,
} from '../../../src/extensions/collection/represented-collection.ts';

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
  values(): Value[] {
    return parsed(this.inner.list());
  }
}

export function bytesOf(list: Representation<unknown> | StreamedRepresentation<unknown>): Buffer {
  const { body } = whole(list);
  return typeof body === 'string' ? Buffer.from(body) : Buffer.concat(body);
}

/** A representation that is not streamed. */
export function whole<T>(kept: Representation<T> | StreamedRepresentation<T>): Representation<T> {
  assert.ok('body' in kept, 'it is streamed');
  return kept;
}

function parsed(list: Representation<unknown> | StreamedRepresentation<unknown>): Value[] {
  const bytes = bytesOf(list);
  if (bytes.length !== list.length)
    throw new Error(`The length is ${list.length}, but there are ${bytes.length} bytes`);
  return JSON.parse(bytes.toString());
}
