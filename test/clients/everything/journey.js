/**
 * Sends every parameter form, every body and every credential with a client as `drive/drive.ts` makes it,
 * reads every answer, and compares it with what was sent.
 */
import assert from 'node:assert/strict';

/** Every byte, which no encoding of texts has. */
const PICTURE = { bytes: Array.from({ length: 256 }, (_, at) => at), size: '16,16' };
const ROW_BYTES = [254, 253];

/** The members of a body that has been answered, where they are not those that were sent. */
const expectations = (sent) => ({
  query: [200, sent.query],
  commas: [200, { ...sent.commas, count: 10 }],
  spaces: [200, { ...sent.spaces, count: 10 }],
  pipes: [200, { ...sent.pipes, count: 10 }],
  headers: [200, sent.headers],
  constrained: [200, sent.constrained],
  declared: [200, sent.declared],
  slash: [200, sent.slash],
  list: [200, sent.list],
  file: [200, sent.file],
  document: [200, sent.document],
  code: [200, sent.code],
  noPage: [200, {}],
  page: [200, { page: 4 }],
  everywhere: [200, sent.everywhere],
  texts: [200, { ...sent.texts, length: 4 }],
  nulls: [200, { ...sent.nulls, length: 4 }],
  numbers: [200, sent.numbers],
  lists: [200, sent.lists],
  drawing: [200, sent.drawing],
  shape: [200, sent.circle],
  tree: [200, sent.tree],
  chain: [200, { link: 1, next: { link: 2, next: { link: 3, next: null } } }],
  names: [200, sent.names],
  rows: [
    200,
    [
      { id: 1, name: 'Ünal, "the" first', price: 19.99 },
      { id: 2, name: '=1+1', price: null },
    ],
  ],
  rowsAsCsv: [200, 'id,name,price\r\n1,"Ünal, ""the"" first",19.99\r\n2,\'=1+1,\r\n'],
  rowsAsBytes: [200, ROW_BYTES],
  picture: [200, PICTURE],
  samePicture: [304, undefined],
  anotherPicture: [412, undefined],
  events: [200, 'data: {"id":1}\n\nevent: end\ndata: Ünal\n\n'],
  place: [200, { type: 'Point', coordinates: [13.4, 52.5] }],
  note: [200, '12\n'],
  person: [200, 'Anna'],
  either: [200, 'a program'],
  password: [200, 'Anna'],
  link: [200, 'a link'],
  open: [200, 'anyone'],
  admin: [204, undefined],
  forbidden: [403, undefined],
});

/** `differences` are those of this client: the status and the data of a call that goes otherwise. */
export async function everythingJourney(client, sent, differences) {
  for (const [call, [status, data]] of Object.entries(expectations(sent))) {
    const expected = differences.find((one) => one.call === call)?.answered(sent) ?? { status, data };
    const outcome = await client[call]();
    assert.equal(outcome.status, expected.status, `${call}: ${JSON.stringify(outcome.data)}`);
    if (expected.status < 300) assert.deepEqual(outcome.data, expected.data, call);
  }
  const refused = await client.refused();
  assert.equal(refused.status, 400);
  const places = refused.data.errors.map(({ in: place, parameter }) => [place, parameter]);
  assert.deepEqual(places, [['query', 'day']]);
  await taskJourney(client, sent);
}

async function taskJourney(client, sent) {
  assert.deepEqual(await client.listTasks(), { status: 200, data: [] });
  const made = await client.addTask();
  assert.equal(made.status, 201);
  const { id, list } = made.data;
  assert.deepEqual(made.data, { ...sent.task, id, list });
  assert.deepEqual(await client.readTask(id), { status: 200, data: made.data });
  const changed = { ...sent.task, text: 'Walk', due: null, id, list };
  assert.deepEqual(await client.updateTask(id), { status: 200, data: changed });
  assert.equal((await client.replaceTask(id)).status, 204);
  assert.deepEqual(await client.listTasks(), { status: 200, data: [{ ...sent.doneTask, id, list, due: null }] });
  assert.equal((await client.removeTask(id)).status, 204);
  assert.equal((await client.readTask(id)).status, 404);
}
