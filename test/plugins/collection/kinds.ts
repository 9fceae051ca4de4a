/** A collection of notes, whose values have an array. */
import assert from 'node:assert/strict';
import type { Representation, StreamedRepresentation } from '../../../src/core/http/representation.ts';
import { type InferReply, schema } from '../../../src/operations/schema/schema.ts';
import {
  type CollectionLimits,
  RepresentedCollection,
} from '../../../src/plugins/collection/represented-collection.ts';

export const Note = schema('Note', {
  type: 'object',
  required: ['id'],
  properties: {
    words: { type: 'integer' },
    lines: { type: 'array', items: { type: 'string', 'x-nullable': true } },
    id: { type: 'string' },
    isPinned: { type: 'boolean', 'x-nullable': true },
  },
});
type Note = InferReply<typeof Note>;

/** Makes a note from a text and a flag. */
export const noteOf = (id: string, text: string | null, flag: boolean): Note => ({
  words: text === null ? 0 : text.length,
  lines: flag ? [text] : [text, null],
  id,
  isPinned: flag ? true : null,
});

/** A collection of notes with numbered keys. */
export class Collection {
  readonly inner: RepresentedCollection<typeof Note>;
  #keys = 0;

  constructor(limits: CollectionLimits = {}) {
    this.inner = new RepresentedCollection(Note, 'camelCase', limits);
  }

  add(text: string | null, flag = false): string {
    const key = `key-${String(++this.#keys).padStart(12, '0')}`;
    this.inner.add(key, noteOf(key, text, flag));
    return key;
  }

  replace(key: string, text: string | null, flag = false): void {
    this.inner.replace(key, noteOf(key, text, flag));
  }

  /** Reads the list and checks its length. */
  async values(): Promise<Note[]> {
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
