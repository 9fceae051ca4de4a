/** A query with an enumeration, a bounded number, a day and a list. */
import type { Row } from './row.ts';

export const ROWS: readonly Row[] = [
  { asks: 'with nothing', path: '/devices', status: 200, body: '20 any - ' },
  {
    asks: 'with everything',
    path: '/devices?kind=camera&size=5&since=2024-02-29&tag=a&tag=b',
    status: 200,
    body: '5 camera 2024-02-29 a+b',
  },
  { asks: 'with one tag', path: '/devices?tag=a', status: 200, body: '20 any - a' },
  { asks: 'with a size below the least', path: '/devices?size=0', status: 400, names: ['size'] },
  { asks: 'with a size that is no number', path: '/devices?size=five', status: 400, names: ['size'] },
  { asks: 'with a part of a size', path: '/devices?size=1.5', status: 400, names: ['size'] },
  { asks: 'with an unknown kind', path: '/devices?kind=car', status: 400, names: ['kind'] },
  { asks: 'with a day that is none', path: '/devices?since=2023-02-29', status: 400, names: ['since'] },
  { asks: 'with too long a tag', path: '/devices?tag=a&tag=abcdefghijk', status: 400, names: ['tag'] },
  {
    asks: 'with two faults',
    path: '/devices?size=0&kind=car',
    status: 400,
    names: { own: ['size', 'kind'], fastify: ['kind'], hono: ['size', 'kind'] },
  },
  {
    asks: 'with a number that is not decimal',
    path: '/devices?size=0x10',
    status: { own: 400, fastify: 200, hono: 200 },
  },
  {
    asks: 'with a size that is empty',
    path: '/devices?size=',
    status: 400,
  },
  {
    asks: 'with two sizes',
    path: '/devices?size=1&size=2',
    status: 400,
  },
];
