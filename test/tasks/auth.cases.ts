/** Signed in with a bearer token: who it is, and what it takes. */
import type { Row } from './row.ts';

const as = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Fastify's plugin sends no challenge, which RFC 9110 §15.5.2 requires. */
const BEARER = ['WWW-Authenticate', /^Bearer/] as const;
const CHALLENGE = { own: BEARER, fastify: undefined, hono: BEARER };

export const ROWS: readonly Row[] = [
  { asks: 'who Ada is', path: '/me', headers: as('ada'), status: 200, body: { name: 'Ada', department: 'film' } },
  { asks: 'who Bob is', path: '/me', headers: as('bob'), status: 200, body: { name: 'Bob', department: 'news' } },
  { asks: 'without a token', path: '/me', status: 401, header: CHALLENGE },
  { asks: 'with a wrong token', path: '/me', headers: as('eve'), status: 401, header: CHALLENGE },
  {
    asks: 'with another scheme',
    path: '/me',
    headers: { Authorization: 'Basic YWRhOmFkYQ==' },
    status: { own: 401, fastify: 401, hono: 400 },
  },
  {
    asks: 'with the scheme in small letters (RFC 9110 §11.1)',
    path: '/me',
    headers: { Authorization: 'bearer ada' },
    status: { own: 200, fastify: 401, hono: 200 },
  },
  { asks: 'for the keys as a keeper', path: '/keys', headers: as('ada'), status: 200, body: ['north', 'south'] },
  { asks: 'for the keys as someone else', path: '/keys', headers: as('bob'), status: 403 },
];
