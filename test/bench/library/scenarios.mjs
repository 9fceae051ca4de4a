/** The requests of the tables `calls` and `http`, and the size of the store for each. Fills the store. */
import { Agent } from 'node:http';
import { ask } from './ask.mjs';

/** Items that are added at the same time. */
const TOGETHER = 50;

const item = (name, key) => JSON.stringify({ key, name, isComplete: false });

/** Each scenario: the number of items in the store, and the request, for the key of an item. */
export const SCENARIOS = [
  { name: 'one item by id', items: 1, request: (key) => ({ path: `/api/todo/${key}` }) },
  { name: 'list of 1', items: 1, request: () => ({ path: '/api/todo' }) },
  { name: 'list of 100', items: 100, request: () => ({ path: '/api/todo' }) },
  {
    name: 'create (POST)',
    items: 1,
    request: () => ({ method: 'POST', path: '/api/todo', body: item('Walk the dog') }),
  },
  {
    name: 'change (PUT)',
    items: 1,
    request: (key) => ({ method: 'PUT', path: `/api/todo/${key}`, body: item('Walk the cat', key) }),
  },
];

/** Adds items until there are so many; resolves with the key of the first. */
export async function withItems({ port }, count) {
  const list = JSON.parse((await ask(port, 'GET', '/api/todo')).body);
  const agent = new Agent({ keepAlive: true });
  const add = async (at) => {
    const { status } = await ask(port, 'POST', '/api/todo', { body: item(`Item${at + 1}`), agent });
    if (status !== 201) throw new Error(`POST was answered ${status}`);
  };
  for (let at = list.length; at < count; at += TOGETHER) {
    await Promise.all(Array.from({ length: Math.min(TOGETHER, count - at) }, (_, ahead) => add(at + ahead)));
  }
  agent.destroy();
  return list[0].key;
}
