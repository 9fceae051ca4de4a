/**
 * Handlers that have a default for a member which may be absent. The compiler then looks at the type of the input before
 * it knows the schemas. Nothing here runs; `npm run typecheck` reads it.
 */
import { controller, ok, operation } from '../../../src/index.ts';
import { form } from '../../../src/operations/uploads/upload.ts';

const tags = { type: 'array', items: { type: 'string' } } as const;
const rest = { method: 'POST', path: '', responses: { 200: { schema: { type: 'string' } } } } as const;

operation({ ...rest, body: form({ tags }), handle: ({ body: { tags = [] } }) => ok(tags.join()) });
operation({
  ...rest,
  body: form({ files: { type: 'array', items: { type: 'file' } }, one: { type: 'file' } }),
  handle: ({ body: { files = [], one = files[0] } }) => ok(`${files.map(({ name }) => name)} ${one?.name}`),
});
operation({
  ...rest,
  body: { type: 'object', properties: { tags, inner: { type: 'object', properties: { tags } } } },
  handle: ({ body: { tags = [], inner = {} } }) => ok([...tags, ...(inner.tags ?? [])].join()),
});
operation({
  ...rest,
  body: { type: 'object', properties: { one: { oneOf: [tags, { type: 'string' }] } } },
  handle: ({ body: { one = [] } }) => ok(String(one)),
});
operation({ ...rest, method: 'GET', query: { tags }, handle: ({ query: { tags = [] } }) => ok(tags.join()) });
operation({ ...rest, method: 'GET', headers: { tags }, handle: ({ headers: { tags = [] } }) => ok(tags.join()) });
controller({
  name: 'Tags',
  path: 'tags/{id}',
  operations: (operation) => [
    operation({
      ...rest,
      body: { type: 'object', properties: { tags } },
      handle: ({ body: { tags = [] }, values: { id = '' } }) => ok(id + tags.join()),
    }),
  ],
});
