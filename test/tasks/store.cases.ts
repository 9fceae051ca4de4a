/** Notes in a store, whichever it is. `{note}` in a path is the `Location` of the last 201. */
import type { Row } from './row.ts';

export const ROWS: readonly Row[] = [
  { asks: 'for none', path: '/notes', status: 200, body: [] },
  {
    asks: 'to add one',
    method: 'POST',
    path: '/notes',
    json: { text: 'one' },
    status: 201,
    header: ['Location', /^\/notes\/./],
    body: { text: 'one' },
  },
  {
    asks: 'to add a long one',
    method: 'POST',
    path: '/notes',
    json: { text: 'x'.repeat(21) },
    status: 400,
    names: ['text'],
  },
  { asks: 'for it', path: '{note}', status: 200, body: { text: 'one' } },
  { asks: 'to replace it', method: 'PUT', path: '{note}', json: { text: 'two' }, status: 204 },
  { asks: 'for all', path: '/notes', status: 200, body: [{ text: 'two' }] },
  {
    asks: 'to replace what was changed since',
    isExtra: true,
    method: 'PUT',
    path: '{note}',
    headers: { 'If-Match': '"old"' },
    json: { text: 'three' },
    status: { own: 412, fastify: 204, hono: 204 },
  },
  { asks: 'to replace an unknown one', method: 'PUT', path: '/notes/none', json: { text: 'two' }, status: 404 },
  { asks: 'to remove it', method: 'DELETE', path: '{note}', status: 204 },
  { asks: 'to remove it again', method: 'DELETE', path: '{note}', status: 404 },
  { asks: 'for it, once it is removed', path: '{note}', status: 404 },
];
