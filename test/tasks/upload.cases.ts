/** A form with a title and a photo. */
import type { Row } from './row.ts';

const file = (bytes: number, type = 'image/png') => new File([new Uint8Array(bytes)], 'a.png', { type });
const post = { method: 'POST', path: '/photos' } as const;

export const ROWS: readonly Row[] = [
  {
    asks: 'with both',
    ...post,
    form: { title: 'Dessau', photo: file(5) },
    status: 200,
    body: 'Dessau: a.png, 5 bytes',
  },
  { asks: 'without the photo', ...post, form: { title: 'Dessau' }, status: 400, names: ['photo'] },
  { asks: 'without the title', ...post, form: { photo: file(5) }, status: 400, names: ['title'] },
  {
    asks: 'with too long a title',
    ...post,
    form: { title: 'x'.repeat(21), photo: file(5) },
    status: 400,
    names: ['title'],
  },
  { asks: 'with a text as the photo', ...post, form: { title: 'Dessau', photo: 'no file' }, status: 400 },
  {
    asks: 'with a photo of another type',
    ...post,
    form: { title: 'Dessau', photo: file(5, 'text/html') },
    status: { own: 400, fastify: 415, hono: 400 },
  },
  {
    asks: 'with too large a photo',
    ...post,
    form: { title: 'Dessau', photo: file(100_001) },
    status: { own: 400, fastify: 413, hono: 400 },
  },
  { asks: 'with far too large a photo', ...post, form: { title: 'Dessau', photo: file(2_000_000) }, status: 413 },
  { asks: 'with JSON', ...post, json: { title: 'Dessau' }, status: { own: 415, fastify: 400, hono: 415 } },
];
