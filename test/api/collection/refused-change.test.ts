/** Changes that are refused: an item that is not there, and conditions that do not hold (RFC 9110 §13.2.2). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusedChange } from '../../../src/api/collection/refused-change.ts';
import { entityTag } from '../../../src/http/headers/entity-tag.ts';
import type { Context } from '../../../src/http/message/context.ts';
import { Collection, note } from './kinds.ts';

const { inner } = new Collection(note);
const { version } = inner.add('here', note.value('here', 'a', true));
const current = entityTag(version);

for (const [key, headers, status] of [
  ['here', {}, undefined],
  ['gone', {}, 404],
  ['gone', { 'if-match': '*' }, 404],
  ['here', { 'if-match': current }, undefined],
  ['here', { 'if-match': '*' }, undefined],
  ['here', { 'if-match': '"other"' }, 412],
  ['here', { 'if-match': `W/${current}` }, 412],
  ['here', { 'if-none-match': current }, 412],
  ['here', { 'if-none-match': '*' }, 412],
  ['here', { 'if-none-match': '"other"' }, undefined],
  ['here', { 'if-match': current, 'if-none-match': current }, 412],
] as const) {
  const asked = JSON.stringify(headers).replaceAll(current.slice(1, -1), 'current');
  test(`D54 – a change of "${key}" with ${asked} → ${status ?? 'allowed'}`, () => {
    assert.equal(refusedChange(inner, key, { headers } as unknown as Context)?.status, status);
  });
}
