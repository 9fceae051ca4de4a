/** The store that the peers share; and what they send beside their own header lines, so that all send the same. */
import { randomUUID } from 'node:crypto';

export const items = new Map();
export const PREFIX = '/api/todo/';

const COMMON = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Request-Id': 'a1b2c3d4e5f6-1abcd',
  ETag: '"a1b2c3d4-1"',
};
export const lines = {
  empty: COMMON,
  item: { ...COMMON, 'Cache-Control': 'no-cache' },
  list: { ...COMMON, 'Cache-Control': 'no-cache', Vary: 'Accept' },
};

export const isBody = (body) => typeof body === 'object' && body !== null;

export function create({ name, isComplete }) {
  const item = { key: randomUUID(), name, isComplete: !!isComplete };
  items.set(item.key, item);
  return item;
}

/** Changes an item. Returns false if no item has this key. */
export function change(key, { name, isComplete }) {
  if (!items.has(key)) return false;
  items.set(key, { key, name, isComplete: !!isComplete });
  return true;
}

create({ name: 'Item1' });
