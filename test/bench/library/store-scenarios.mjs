/** What is asked of a service in the table of stores: each operation, and a mix in which the list changes. */
import { MADE } from './made-key.mjs';

/** Each connection sends another value than the one before it: SQLite does not write a row that stays as it is. */
const NAMES = Array.from({ length: 16 }, (_, at) => `Walk dog ${at + 10}`);
const body = (members, name = NAMES[0]) => JSON.stringify({ ...members, name, isComplete: true });
const list = { path: '/api/todo' };
const create = { method: 'POST', path: '/api/todo', body: body({}) };
const remove = { method: 'DELETE', path: `/api/todo/${MADE}` };
const one = (key) => ({ path: `/api/todo/${key}` });
const replace = (key, name) => ({ method: 'PUT', path: `/api/todo/${key}`, body: body({ key }, name) });
const patch = (key, name) => ({ method: 'PATCH', path: `/api/todo/${key}`, body: body({}, name) });

/** Each operation once, for the key of an item, which is not there afterwards. */
export const operations = (key) => [
  ...[one(key), list, create, replace(key), patch(key)],
  { method: 'DELETE', path: `/api/todo/${key}` },
];

/** Each scenario: items in the store, and the requests that take turns, for the key of an item. */
export const STORE_SCENARIOS = [
  { name: 'one item by id (GET)', items: 1, requests: (key) => [one(key)] },
  { name: 'list of 100 (GET), which does not change', items: 100, requests: () => [list] },
  { name: 'create (POST)', items: 1, requests: () => [create] },
  { name: 'replace (PUT)', items: 1, requests: (key) => NAMES.map((name) => replace(key, name)) },
  { name: 'change (PATCH)', items: 1, requests: (key) => NAMES.map((name) => patch(key, name)) },
  { name: 'create and remove (POST and DELETE in turns)', items: 1, requests: () => [create, remove] },
  // Of 20: 9 read an item, 3 the list, 2 create, 3 replace, 1 patches, 2 remove what they have created.
  // Connections have some 45 items that they have not removed yet, or left when they were closed.
  {
    name: 'mixed, with a list of some 100 that changes',
    items: 55,
    requests: (key) =>
      NAMES.flatMap((name, at) => {
        const [read, put, patched] = [one(key), replace(key, name), patch(key, `${name}, ${at}`)];
        return [
          ...[read, list, read, create, read, put, read, remove, read, patched],
          ...[list, read, create, replace(key, `${name}.`), read, remove, list, put, read, read],
        ];
      }),
  },
];
