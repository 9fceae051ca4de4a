/** Three requests of a client in a minute, behind a proxy on the same machine. */
import type { Row } from './row.ts';

const from = (address: string) => ({ method: 'POST', path: '/jobs', headers: { 'X-Forwarded-For': address } });

export const ROWS: readonly Row[] = [
  { asks: 'first', ...from('192.0.2.1'), status: 200, body: 'done' },
  { asks: 'second', ...from('192.0.2.1'), status: 200 },
  { asks: 'third', ...from('192.0.2.1'), status: 200 },
  { asks: 'fourth', ...from('192.0.2.1'), status: 429, header: ['Retry-After', /^(?:59|60)$/] },
  { asks: 'another client', ...from('192.0.2.2'), status: 200 },
  {
    asks: 'the first client with an address made up',
    ...from('198.51.100.7, 192.0.2.1'),
    status: { own: 429, fastify: 429, hono: 200 },
  },
];
