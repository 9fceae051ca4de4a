/** One way through all six operations that every client must be able to go, whoever generated it. */
import assert from 'node:assert/strict';

/** Creates, reads, replaces, updates and deletes an item with a client; leaves the service as it was. */
export async function journey(client) {
  const before = await client.list();
  assert.equal(before.status, 200);

  const made = await client.post({ name: 'Milk & <bread> – ü', isComplete: false });
  assert.equal(made.status, 201);
  const { key } = made.data;
  assert.deepEqual(made.data, { key, name: 'Milk & <bread> – ü', isComplete: false });
  assert.deepEqual(await client.get(key), { status: 200, data: made.data });
  assert.deepEqual(await client.list(), { status: 200, data: [...before.data, made.data] });

  const replaced = { key, name: 'Milk', isComplete: true };
  assert.equal((await client.put(key, replaced)).status, 204);
  assert.deepEqual((await client.get(key)).data, replaced);
  assert.equal((await client.put(key, { ...replaced, key: 'another' })).status, 400);
  assert.equal((await client.put('absent', { ...replaced, key: 'absent' })).status, 404);

  assert.equal((await client.patch(key, { name: 'Bread' })).status, 204);
  assert.deepEqual((await client.get(key)).data, { key, name: 'Bread', isComplete: false });
  assert.equal((await client.patch('absent', { name: 'Bread' })).status, 404);

  assert.equal((await client.delete(key)).status, 204);
  assert.equal((await client.delete(key)).status, 404);
  assert.equal((await client.get(key)).status, 404);
  assert.deepEqual(await client.list(), before);
}
