/** What is asked of a to-do service in the HTTP tables, and how its store is brought to a size first. */
import { Agent } from 'node:http';
import { ask } from './ask.mjs';

/** Items that are added at the same time. */
const TOGETHER = 50;

const item = (key, name, isComplete) => JSON.stringify({ key, name, isComplete });

/**
 * Each scenario: items in the store, and the requests that take turns, for the key of an item. `size` is how many times
 * a request costs more than one for an item; `isAlone`: compared with the floor alone.
 */
export const SCENARIOS = [
  { name: 'one item by id', items: 1, requests: (key) => [{ path: `/api/todo/${key}` }] },
  { name: 'list of 1', items: 1, requests: () => [{ path: '/api/todo' }] },
  { name: 'list of 100', items: 100, requests: () => [{ path: '/api/todo' }] },
  {
    name: 'create (POST)',
    items: 1,
    requests: () => [{ method: 'POST', path: '/api/todo', body: item(undefined, 'Walk the dog', false) }],
  },
  { name: 'replace (PUT)', items: 1, requests: (key) => [replaced(key)] },
  {
    name: 'replace (PUT) of 100 kB',
    items: 1,
    size: 10,
    isAlone: true,
    requests: (key) => [{ ...replaced(key), body: item(key, 'x'.repeat(100_000), true) }],
  },
  // Of 20: 10 read an item, 3 the list of 10, 3 replace, 2 patch, 1 reads and 1 deletes what is not there.
  {
    name: 'mixed',
    items: 10,
    badShare: 0.1,
    requests: (key) => {
      const one = { path: `/api/todo/${key}` };
      const list = { path: '/api/todo' };
      const put = replaced(key);
      const patch = { ...put, method: 'PATCH' };
      const none = { path: '/api/todo/00000000-0000-4000-8000-000000000000' };
      return [
        one,
        list,
        one,
        put,
        one,
        patch,
        one,
        none,
        one,
        list,
        one,
        put,
        one,
        one,
        list,
        put,
        one,
        patch,
        one,
        { ...none, method: 'DELETE' },
      ];
    },
  },
];

const replaced = (key) => ({ method: 'PUT', path: `/api/todo/${key}`, body: item(key, 'Item1', true) });

/** Adds items until there are so many; resolves with the key of the first. */
export async function withItems({ port }, count) {
  const list = JSON.parse((await ask(port, 'GET', '/api/todo')).body);
  const agent = new Agent({ keepAlive: true });
  const add = async (at) => {
    const { status } = await ask(port, 'POST', '/api/todo', { body: item(undefined, `Item${at + 1}`, false), agent });
    if (status !== 201) throw new Error(`POST was answered ${status}`);
  };
  for (let at = list.length; at < count; at += TOGETHER) {
    await Promise.all(Array.from({ length: Math.min(TOGETHER, count - at) }, (_, ahead) => add(at + ahead)));
  }
  agent.destroy();
  return list[0].key;
}
