/** Refused changes: the item is missing, or a condition fails (RFC 9110 §13.2.2). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import type { Context } from '../../../src/core/http/context.ts';
import { headerOf, withHeaders } from '../../../src/core/http/replies.ts';
import { entityTag } from '../../../src/core/http/representation.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { refusedChange } from '../../../src/plugins/collection/conditional-change.ts';
import { todo } from '../../../src/plugins/todo/todo.ts';
import { contextFor } from '../../../src/testing.ts';
import { lateStore } from '../../support/late-store.ts';
import { Collection, noteOf } from './kinds.ts';

const { inner } = new Collection();
const { version } = inner.add('here', noteOf('here', 'a', true));
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
  const conditions = JSON.stringify(headers).replaceAll(current.slice(1, -1), 'current');
  test(`D54 – a change of "${key}" with ${conditions} → ${status ?? 'allowed'}, with a synchronous and an asynchronous store`, async () => {
    const context = { headers } as unknown as Context;
    assert.equal(refusedChange(inner, key, context)?.status, status);
    assert.equal((await refusedChange(lateStore(inner), key, context))?.status, status);
  });
}

test('D14 – an outer stage sees the 507 of a full collection like any reply', async () => {
  const marked: Stage = async (context, next) => withHeaders(await next(context), { 'X-Mark': '1' });
  const mark: Plugin = { name: 'mark', outerStages: [marked] };
  const { handler } = application([mark, todo({ maxItems: 1 })]);
  const headers = { 'Content-Type': 'application/json' };
  const context = contextFor('/api/todo', { method: 'POST', headers, body: '{"name":"a"}' });
  const reply = await handler(context);
  assert.deepEqual([reply.status, headerOf(reply, 'X-Mark'), headerOf(reply, 'Retry-After')], [507, '1', '60']);
});
