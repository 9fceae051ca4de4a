/**
 * Answers of helpers that must not compile. An `@ts-expect-error` is itself an error if the next line compiles.
 * Nothing here runs; `npm run typecheck` reads it.
 */
import { EventEmitter, on } from 'node:events';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import {
  answer,
  type Context,
  created,
  type Infer,
  json,
  noContent,
  notFound,
  ok,
  operation,
  problem,
  problemFormat,
  redirect,
  route,
  type Schema,
  schema,
  stream,
  withHeaders,
} from '../../../src/index.ts';
import { partial } from '../../../src/operations/schema/schemas.ts';
import { file, fileResponses } from '../../../src/plugins/files/files.ts';
import { events, type ServerSentEvent } from '../../../src/shelf/events/events.ts';
import { csv } from '../../../src/shelf/rows/rows.ts';

const Todo = schema('Todo', {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'string' }, name: { type: 'string' }, done: { type: 'boolean', default: false } },
});
const todo = { id: '1', name: 'a', done: false };
const rest = { method: 'GET', path: '' } as const;

// Helpers without annotations: a status and its body stay together, in any branch and behind a promise.
const taken = (name: string) => (name === 'a' ? problem(409, `"${name}" is taken`) : ok({ ...todo, name }));
const later = async (name: string) => {
  if (name === '') return problem(422, 'It has no name', { errors: [{ pointer: '/name', detail: 'is empty' }] });
  return name === 'a' ? taken(name) : answer(202, undefined, { headers: { 'Retry-After': '5' } });
};
const eitherStatus = (isThere: boolean) => problem(isThere ? 409 : 404, 'Neither');
operation({ ...rest, responses: { 200: { schema: Todo }, 409: {} }, handle: () => taken('b') });
operation({ ...rest, responses: { 200: { schema: Todo }, 202: {}, 409: {}, 422: {} }, handle: () => later('b') });
operation({ ...rest, responses: { 204: {}, 404: {}, 409: {} }, handle: () => eitherStatus(true) });
operation({ ...rest, responses: { 200: { schema: Todo } }, handle: () => answer(200, todo, { headers: { A: 'b' } }) });
operation({ ...rest, responses: { 201: { schema: Todo } }, handle: () => answer(201, todo, { location: to }) });
const to = { to: 'TodosByIdGet', values: { id: '1' } };

// Members that are undefined are left out of a reply, so they compile with `exactOptionalPropertyTypes`, too.
const due = new Map<string, string>().get('due');
const Task = schema('Task', {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, due: { type: 'string' }, parts: { type: 'array', items: { $ref: 'Task' } } },
});
const Owner = {
  type: 'object',
  properties: { owner: { type: 'object', properties: { due: { type: 'string' } } } },
} as const;
const Texts = { type: 'object', additionalProperties: { type: 'string' } } as const;
const Both = { ...Texts, properties: { due: { type: 'string' } } } as const;
const Either = {
  oneOf: [Task, { type: 'object', required: ['no'], properties: { no: { type: 'integer' } } }],
} as const;
operation({ ...rest, responses: { 200: { schema: Task } }, handle: () => ok({ id: '1', due }) });
operation({ ...rest, responses: { 201: { schema: Task } }, handle: () => created({ id: '1', due }, 'TasksGet', {}) });
operation({ ...rest, responses: { 202: { schema: Task } }, handle: () => answer(202, { id: '1', due }) });
operation({ ...rest, responses: { 200: { schema: Task } }, handle: () => ok({ id: '1', parts: [{ id: '2', due }] }) });
operation({ ...rest, responses: { 200: { schema: Owner } }, handle: () => ok({ owner: { due } }) });
operation({
  ...rest,
  responses: { 200: { schema: { type: 'array', items: Task } } },
  handle: () => ok([{ id: '1', due }]),
});
operation({
  ...rest,
  responses: { 200: { schema: { allOf: [Task, Owner] } } },
  handle: () => ok({ id: '1', due, owner: { due } }),
});
operation({ ...rest, responses: { 200: { schema: Either } }, handle: () => ok({ id: '1', due }) });
operation({ ...rest, responses: { 200: { schema: Texts } }, handle: () => ok({ due }) });
operation({ ...rest, responses: { 200: { schema: Both } }, handle: () => ok({ due, other: due }) });
operation({ ...rest, responses: { 200: { schema: partial(Task) } }, handle: () => ok({ id: due }) });
operation({
  ...rest,
  responses: { 409: {} },
  handle: () => problem(409, 'No', { type: due, title: due, errors: undefined, more: due }),
});
operation({ ...rest, responses: { 204: {} }, handle: ({ link }) => noContent(link({ due })) });
export const inputs = [
  { id: '1', due } satisfies Infer<typeof Task>,
  json({ due }),
  problemFormat({ mediaType: 'application/json', schema: Task, write: ({ requestId }) => ({ id: requestId, due }) }),
  [{ data: '', id: due, event: due }] satisfies ServerSentEvent[],
];
// @ts-expect-error A member that is required
operation({ ...rest, responses: { 200: { schema: Task } }, handle: () => ok({ id: due }) });
// @ts-expect-error A header, which has a value
problem(429, 'Later', { headers: { 'Retry-After': due } });
// @ts-expect-error Such a header of a copy
withHeaders(json(1), { 'Retry-After': due });

// @ts-expect-error The 409 of a helper is not declared
operation({ ...rest, responses: { 200: { schema: Todo } }, handle: () => taken('b') });
// @ts-expect-error The 422 of an async helper is not declared
operation({ ...rest, responses: { 200: { schema: Todo }, 202: {}, 409: {} }, handle: () => later('b') });
// @ts-expect-error One of two statuses is not declared
operation({ ...rest, responses: { 204: {}, 409: {} }, handle: () => eitherStatus(true) });
// @ts-expect-error A body that the schema does not have
operation({ ...rest, responses: { 200: { schema: Todo } }, handle: () => answer(200, { ...todo, colour: 'red' }) });
// @ts-expect-error A body that is not declared
operation({ ...rest, responses: { 202: {} }, handle: () => answer(202, todo) });
// @ts-expect-error An invalid problem
problem(200, 'fine');
// @ts-expect-error A header that is not a text
problem(429, 'Later', { headers: { 'Retry-After': 5 } });

// Routes and operations can return redirects, streams, events and files.
const emitter = new EventEmitter();
const news = (context: Context) =>
  events(context, async function* ({ lastEventId, signal }) {
    if (lastEventId === undefined) yield 'the first';
    for await (const [data] of on(emitter, 'news', { signal })) yield { event: 'news', id: 1, data };
  });
async function* typed(): AsyncGenerator<ServerSentEvent> {
  yield { data: null };
}
const eventsResponses = { 200: { mediaType: 'text/event-stream' } } as const;
route({ path: 'a', handle: () => redirect('/b') });
route({ path: 'a', handle: ({ context }) => news(context) });
route({ path: 'a', handle: ({ context }) => file(context, 'a.pdf') });
route({ path: 'a', handle: () => stream(createReadStream('a'), { mediaType: 'text/csv' }) });
operation({ ...rest, responses: { 302: {}, 404: {} }, handle: () => (emitter ? redirect('/b') : notFound('none')) });
operation({ ...rest, responses: { 303: {} }, handle: () => redirect('/b', 303, { headers: { 'Set-Cookie': 'a=b' } }) });
operation({ ...rest, responses: eventsResponses, handle: ({ context }) => news(context) });
operation({ ...rest, responses: eventsResponses, handle: ({ context }) => events(context, typed()) });
operation({ ...rest, responses: { 200: { mediaType: 'text/csv' } }, handle: () => stream(['a']) });
operation({ ...rest, responses: { 201: { mediaType: 'text/csv' } }, handle: () => stream(['a'], { status: 201 }) });
operation({ ...rest, responses: { 200: { mediaType: 'text/csv' } }, handle: () => stream(new Blob([]).stream()) });
operation({
  ...rest,
  responses: { ...fileResponses('application/pdf'), 403: {} },
  handle: ({ context }) => (context.query.has('no') ? problem(403, 'No') : file(context, 'a.pdf')),
});
operation({
  ...rest,
  responses: { 200: { mediaType: 'text/csv' }, 303: {}, 302: {}, 404: {} },
  handle: ({ context }) => (context.query.size > 0 ? stream(['a'], { mediaType: 'text/csv' }) : redirect('/b')),
});
// @ts-expect-error A status that is not a redirect
redirect('/b', 304);
// @ts-expect-error A link that may be undefined
route({ path: 'a', handle: ({ link }) => redirect(link('b')) });
// @ts-expect-error A redirect that is not declared
operation({ ...rest, responses: { 302: {} }, handle: () => redirect('/b', 308) });
// @ts-expect-error Parts of a file are not declared
operation({ ...rest, responses: { 200: { mediaType: 'a/b' } }, handle: ({ context }) => file(context, 'a') });
// @ts-expect-error A stream where a schema is declared
operation({ ...rest, responses: { 200: { schema: Todo } }, handle: () => stream(['a']) });
// @ts-expect-error A stream of objects
stream([{ a: 1 }]);
export const ofEvents = (context: Context): readonly unknown[] => [
  // @ts-expect-error An event without data
  events(context, async function* () {
    yield { event: 'a' };
  }),
  // @ts-expect-error A list of values is not a source of events
  events(context, ['a']),
];

// A helper that is generic over a schema.
const page = <const S extends Schema>(items: S) =>
  ({
    type: 'object',
    required: ['items', 'next'],
    properties: { items: { type: 'array', items }, next: { type: 'string', 'x-nullable': true } },
  }) as const;
operation({
  ...rest,
  responses: { 200: { schema: page(Todo) }, 404: {} },
  handle: ({ context }) => (context.query.size > 0 ? notFound('none') : ok({ items: [todo], next: null })),
});
operation({
  ...rest,
  responses: { 200: { schema: schema('Page', page({ type: 'string', minLength: 1 })) } },
  handle: () => ok({ items: ['a'], next: '2' }),
});
operation({
  ...rest,
  responses: { 200: { schema: page(Todo) } },
  // @ts-expect-error An item of another type
  handle: () => ok({ items: [{ ...todo, name: 5 }], next: null }),
});
operation({
  ...rest,
  responses: { 200: { schema: page(Todo) } },
  // @ts-expect-error A member that the items do not have
  handle: () => ok({ items: [{ ...todo, colour: 'red' }], next: null }),
});
// In a generic function the members of the schema are unknown, so an operation takes any schema.
export const reader = (items: Schema, read: (id: string) => unknown) =>
  operation({
    method: 'GET',
    path: '{id}',
    responses: { 200: { schema: items }, 404: {} },
    handle({ values }) {
      const item = read(values.id);
      return item === undefined ? notFound('none') : ok(item);
    },
  });

// Rows one by one for an array schema (D100).
const todos = { 200: { schema: { type: 'array', items: Todo } } } as const;
function* plainRows() {
  yield todo;
}
async function* laterRows() {
  yield todo;
}
async function* wrongRows() {
  yield { ...todo, id: 1 };
}
async function* wideRows() {
  yield { ...todo, colour: 'red' };
}
operation({ ...rest, responses: todos, handle: () => ok(plainRows()) });
operation({ ...rest, responses: todos, handle: async () => ok(laterRows()) });
operation({ ...rest, responses: todos, handle: () => ok(new Set([todo])) });
operation({ ...rest, responses: todos, handle: () => ok(Readable.from([todo])) });
// @ts-expect-error A text where an array is declared
operation({ ...rest, responses: todos, handle: () => ok('todo') });
operation({ ...rest, responses: todos, handle: ({ context }) => (context.path ? ok([todo]) : ok(laterRows())) });
operation({ ...rest, responses: todos, writers: { 'text/csv': csv(['id']) }, handle: () => ok(laterRows()) });
operation({
  ...rest,
  responses: todos,
  writers: { 'text/csv': (all) => all.map(({ id }) => id) },
  handle: () => ok([]),
});
// @ts-expect-error Rows of another type
operation({ ...rest, responses: todos, handle: () => ok(wrongRows()) });
// @ts-expect-error Rows with a member that the schema does not have
operation({ ...rest, responses: todos, handle: () => ok(wideRows()) });
// @ts-expect-error Rows for a schema that is not an array
operation({ ...rest, responses: { 200: { schema: Todo } }, handle: () => ok(plainRows()) });
// @ts-expect-error A column that the rows do not have
operation({ ...rest, responses: todos, writers: { 'text/csv': csv(['colour']) }, handle: () => ok(laterRows()) });
// @ts-expect-error A writer that returns numbers
operation({ ...rest, responses: todos, writers: { 'text/csv': () => [1] }, handle: () => ok([]) });
