/** The cases of lesson 16. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application, ok, operation, type Plugin, schema } from '../../../src/index.ts';
import { describe } from '../../../src/plugins/description/description.ts';
import { verification } from '../../../src/testing.ts';
import { assertPredicted, WITHIN, work } from '../work.ts';

const { books, compose, prediction } = await work<typeof import('../answers/16-description-that-lies.ts')>(
  import.meta.url,
);

const integer = { type: 'integer' } as const;
/** The schema of the untouched exercise. */
const before = schema('Before', {
  type: 'object',
  required: ['pages'],
  properties: { pages: { ...integer, minimum: 1 }, rating: { ...integer, minimum: 1, maximum: 5 } },
});
const lying: Plugin = {
  name: 'lying',
  routes: [
    operation({
      method: 'GET',
      path: 'lying/{number:int}',
      responses: { 200: { schema: before } },
      handle: ({ values }) =>
        ok([{ pages: 474, rating: 5 }, { pages: 730, rating: 4.5 }, { pages: 0 }][Number(values.number) - 1]!),
    }),
  ],
};

/** Returns the reply and the log. */
async function ask(path: string) {
  const logged: string[] = [];
  const reply = await compose([books, lying], (error) => logged.push(String(error))).request(path);
  return { status: reply.status, body: await reply.text(), logged: logged.join('\n') };
}

test('the prediction for three books → what happens', WITHIN, async () => {
  const app = application([verification(), lying], { log: () => {} });
  const actual: Record<string, number> = {};
  for (const number of [1, 2, 3]) actual[`GET /books/${number}`] = (await app.request(`/lying/${number}`)).status;
  assertPredicted(prediction, actual, 'Compare each member of the book with its line in the schema.');
});

test('another operation with a wrong description → 500, and the log names it', WITHIN, async () => {
  const { status, logged } = await ask('/lying/3');
  assert.equal(
    status,
    500,
    'The wrong reply was sent, because compose has no check yet: put verification() into the list',
  );
  assert.match(logged, /"LyingByNumberGet" answers 200 otherwise than it declares/);
});

test('an unknown book → 404, which is declared', WITHIN, async () => {
  const { status, logged } = await ask('/books/4');
  assert.equal(status, 404, logged);
});

for (const [number, members] of [
  [1, { title: 'Emma', pages: 474, rating: 5 }],
  [2, { title: 'Ulysses', pages: 730, rating: 4.5 }],
  [3, { title: 'A scroll that nobody has counted' }],
] as const)
  test(`GET /books/${number} → 200 with the true members`, WITHIN, async () => {
    const { status, body, logged } = await ask(`/books/${number}`);
    assert.equal(status, 200, `The client gets ${status}, and the log says:\n${logged}`);
    assert.deepEqual(JSON.parse(body), members, 'The client reads something else than the known facts');
  });

test('the description → keeps its true promises', WITHIN, () => {
  const { routes } = compose([books], () => {});
  const { required, properties } = describe(routes, { title: 'Books' }).definitions['Book'] as Record<string, any>;
  assert.equal(properties.pages.minimum, 1, 'Keep the promise: where there are pages, they are at least 1');
  assert.equal(properties.pages.type, 'integer', 'Pages are whole numbers');
  assert.deepEqual([properties.rating.minimum, properties.rating.maximum], [1, 5], 'A rating stays between 1 and 5');
  assert.equal(properties.rating.type, 'number', 'A rating may be 4.5');
  assert.deepEqual(required, ['title'], 'A client reads here which members are always there');
});
