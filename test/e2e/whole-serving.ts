/** Starts the whole service for a row, with items in memory or in another store. */
import assert from 'node:assert/strict';
import { after, type TestContext } from 'node:test';
import { ask } from '../support/ask.ts';
import { logged, type serve } from '../support/serve.ts';

export type WholeServing = (
  t: Pick<TestContext, 'after'>,
  settings?: Parameters<typeof serve>[1],
) => Promise<{ readonly port: number }>;

/**
 * Starts one service for all rows with equal settings. Each row finds the items of a new service: one item, named
 * Item1. Call it in a suite: the services end with the suite.
 */
export function shared(serving: WholeServing): WholeServing {
  const services = new Map<string, ReturnType<WholeServing>>();
  const ends: (() => unknown)[] = [];
  after(async () => {
    for (const end of ends) await end();
  });
  return async (t, settings = {}) => {
    const name = JSON.stringify(settings);
    const service = services.get(name) ?? serving({ after: (end) => void ends.push(end as () => unknown) }, settings);
    services.set(name, service);
    const { port } = await service;
    await restoreItems(port, settings.propertyNaming === 'PascalCase' ? 'Name' : 'name');
    t.after(() => assert.deepEqual(logged.splice(0), [], 'the service wrote to standard error'));
    return { port };
  };
}

async function restoreItems(port: number, nameMember: string): Promise<void> {
  const target = '/api/todo';
  const items: Record<string, string>[] = (await ask(port, { target })).json();
  if (items.length === 1 && items[0]![nameMember] === 'Item1' && Object.values(items[0]!)[2] === (false as unknown))
    return;
  for (const item of items) {
    const [key] = Object.values(item);
    assert.equal((await ask(port, { method: 'DELETE', target: `${target}/${key}` })).status, 204);
  }
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ [nameMember]: 'Item1' });
  assert.equal((await ask(port, { method: 'POST', target, headers, body })).status, 201);
}
