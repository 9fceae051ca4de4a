/** Exports results of the library's functions, as a package does that other packages import. */
import { createServer } from 'node:http';
import {
  type Authenticator,
  after,
  assertOptions,
  authenticators,
  bodyValidator,
  HttpService,
  type IncompleteRoute,
  type Instrument,
  matchedTemplate,
  type OwnBody,
  offer,
  operationOf,
  ownBody,
  rowsWriter,
  type SecurityScheme,
  type SentReply,
  securityScheme,
  serializer,
  traceOf,
  whenSent,
  writtenRows,
} from '../../src/extending.ts';
import { RouteCollection, type RouteMatch, routing } from '../../src/http.ts';
import {
  application,
  badRequest,
  type Context,
  contextWith,
  controller,
  created,
  HttpProblem,
  listener,
  mounted,
  noContent,
  notFound,
  type OperationInput,
  ok,
  operation,
  type ParameterValues,
  pipeline,
  problem,
  problems,
  type Responses,
  type RouteInput,
  route,
  routesOf,
  type Stage,
  schema,
  text,
  withHeaders,
} from '../../src/index.ts';
import { ownFormat, partial, pick } from '../../src/operations/schema/schemas.ts';
import { byMediaType, byteStream, bytes, form } from '../../src/operations/uploads/upload.ts';
import { missingItem, RepresentedCollection } from '../../src/plugins/collection/collection.ts';
import { describe, describeOpenApi } from '../../src/plugins/description/description.ts';
import { staticFiles, staticSite } from '../../src/plugins/files/files.ts';
import { todo } from '../../src/plugins/todo/todo.ts';
import { apiKeys, authentication, bearerTokens } from '../../src/shelf/authentication/authentication.ts';
import { metrics } from '../../src/shelf/metrics/metrics.ts';
import { csv } from '../../src/shelf/rows/rows.ts';
import { contextFor, verification } from '../../src/testing.ts';

export const task = schema('Task', {
  type: 'object',
  properties: { name: { type: 'string' }, kind: { type: 'string', enum: ['work', 'rest'] } },
  required: ['name'],
});
export const shared = {
  404: {},
  429: { headers: { 'Retry-After': { type: 'integer', description: 'Seconds', always: true } } },
} as const satisfies Responses;
export const paging = { page: { type: 'integer', default: 1 } } as const;
export const offsetOf = ({ page }: ParameterValues<typeof paging>) => (page - 1) * 20;

export const titled = { ...task, title: 'A task' } as const;
export const change = { ...schema('TaskChange', partial(task)), description: 'What changes' };
export const named = pick(task, 'name');
export const taskPage = {
  type: 'object',
  properties: { items: { type: 'array', items: task }, next: { ...task, 'x-nullable': true } },
} as const;
export const short = { ...ownFormat('short', (text) => text.length < 9), minLength: 1 };
export const bodies = {
  form: form({ title: { type: 'string' }, photo: { type: 'file' } }),
  kinds: byMediaType({ 'application/json': task, 'image/*': bytes('image/*') }),
  stream: byteStream('image/*'),
};

export const read = operation({
  method: 'GET',
  path: '{id:int}',
  query: paging,
  headers: { 'X-Trace': { type: 'string' } },
  parameters: { id: { type: 'integer', maximum: 9 } },
  responses: { 200: { schema: task }, ...shared },
  handle: ({ query, parameters: { id } }) =>
    id === 0 ? notFound('There is no task 0') : ok({ name: `${id} of ${query.page}` }),
});
export const create = operation({
  method: 'POST',
  path: '',
  body: task,
  responses: { 201: { schema: task, location: read } },
  handle: ({ body }) => created(body, read, { id: '1' }),
});
export const made = { created: created({ name: 'a' }, read, { id: 1 }), form: bodies.form };
export const last = operation({
  method: 'PUT',
  path: 'last',
  body: bodies.form,
  responses: { 200: { schema: titled }, 201: { schema: task }, 404: {} },
  handle: ({ body: { title } }) => (title === undefined ? made.created : ok({ name: title })),
});
export const page = operation({
  method: 'GET',
  path: 'page',
  responses: { 200: { mediaType: 'text/html' } },
  handle: () => ok('<p>'),
});
export const plain = { name: 'Tasks', path: 'api/tasks', operations: [read, create, page] };
export const nested = controller({
  name: 'Nested',
  path: 'api/lists/{list}/tasks',
  operations: (operation) => [
    operation({
      method: 'GET',
      path: '{id}',
      responses: { 200: { schema: { type: 'string' } } },
      handle: ({ values }) => ok(values.list + values.id),
    }),
  ],
});
export const nameOf = (input: OperationInput<'{id}', typeof task>) => input.body.name;
export const answers = {
  taken: problem(409, 'Taken', { by: 7 }),
  bad: badRequest('Why', [{ pointer: '/name', detail: 'Too long' }]),
  missing: missingItem('1'),
  none: noContent(),
};

export const tokens = bearerTokens({ secret: { identity: { name: 'Ann' } } });
export const keys = apiKeys((key) => ({ identity: key.length }));
export const guard = authentication(tokens, keys);
export const basic = securityScheme('Basic', { type: 'http', scheme: 'basic' });

export const hello = route({ path: 'hello/{name}/{mark?}', handle: ({ values }) => text(values.name) });
export const nextOf = ({ values, link }: RouteInput<{ readonly id: string }>) => link('next', values);
const tasksPlugin = { name: 'tasks', routes: routesOf(plain, nested) };
export const routes = new RouteCollection().add(hello, ...application([tasksPlugin]).routes);
export const valuesOf = (match: RouteMatch) => match.values;
export const answered = (context: Context) => routes.match(context);
export const linked = routes.link({ name: 'World' });

export const composed = application([todo(), guard, tasksPlugin]);
export const { handler, refuse, start, stop } = composed;
export const service = new HttpService({ handler, refuse });
export const middleware = listener(handler);
export const server = createServer(middleware);
export const answer = () => composed.request('/');

export const swagger = describe(routes, { title: 'Tasks' });
export const openapi = describeOpenApi(routes, { title: 'Tasks' });
export const checked = application([verification(), guard]);
export const { store } = todo();
export const tasks = new RepresentedCollection(task, 'camelCase', { maxItems: 1 });
export const list = () => tasks.list();
export const write = serializer(task, 'camelCase');
export const table = csv(['name']);
export const under = mounted('tools', metrics());
export const site = (options: Parameters<typeof staticSite>[0]) => ({ ...staticSite(options), name: 'site' });
export const inner = [problems(), staticFiles({ root: '.' }), routing(routes)];
export const whole = pipeline(inner);
export const context = contextWith(contextFor('/'), { path: '/other' });
export const refusal = new HttpProblem(418, 'Tea');
export const { extra } = refusal;

export const greeting = offer<string>('acme: greeting');
export const greetingRoute = (path: string): IncompleteRoute => ({
  template: hello.template,
  complete: ({ template, offered }) => ({
    ...route({
      path,
      handle: () =>
        text(
          offered(greeting)
            .map(({ value, plugin }) => plugin + value)
            .join(),
        ),
    }),
    template,
  }),
});
const signature = securityScheme('Signature', { type: 'apiKey', in: 'header', name: 'X-Signature' }, ['writer']);
export const signatures: Authenticator<{ readonly key: string }> & SecurityScheme<'writer'> = {
  ...signature,
  scheme: signature,
  challenge: () => 'Signature',
  authenticate: ({ headers }) => ({ found: 'valid', identity: { key: String(headers['x-signature']) } }),
};
export const sign = operation({
  method: 'POST',
  path: 'sign',
  security: [{ scheme: signatures, roles: ['writer'] }],
  responses: { 200: { schema: { type: 'string' } } },
  handle: ({ identity }) => ok(identity.key),
});
export const signing = {
  name: 'signing',
  offers: [authenticators.of([signatures]), greeting.of('Hello')],
};
export const validate = bodyValidator(task, 'camelCase');
/** Reads `name=Rest&kind=work` instead of JSON, with the media type, the limits and the memory of `bytes`. */
export function pairs(): OwnBody<ReturnType<typeof validate>['value']> {
  const source = bytes('application/x-pairs');
  const handling = source[ownBody];
  return {
    mediaTypes: source.mediaTypes,
    kinds: { 'application/x-pairs': task },
    [ownBody]: {
      assert: (_, id) => handling.assert(source, id),
      assertFits: (_, id, limits) => handling.assertFits(source, id, limits),
      reader(_, naming) {
        const read = handling.reader(source, naming);
        const check = bodyValidator(task, naming);
        return async (context) => {
          const sent = new URLSearchParams(new TextDecoder().decode(await read(context)));
          const { value, errors } = check(Object.fromEntries(sent));
          if (errors !== undefined) throw new HttpProblem(400, 'The pairs are not a task', { errors });
          return value;
        };
      },
    },
  };
}
export const titles = rowsWriter<{ readonly name: string }>((rows) => writtenRows(rows, ({ name }) => `${name}\n`));
export function watching(options: { readonly write: (line: object) => void }) {
  assertOptions('watch', options, ['write']);
  const instrument: Instrument = {
    route: (watched) => ({
      ...watched,
      handle: (input) =>
        after(watched.handle(input), (reply) => withHeaders(reply, { 'X-Id': String(operationOf(watched)?.id) })),
    }),
  };
  const log: Stage = (context, next) => {
    const template = () => matchedTemplate(context);
    whenSent(context, (sent: SentReply) => options.write({ ...sent, ...traceOf(context), template: template() }));
    return next(context);
  };
  return { name: 'watching', instrument, outerStages: [log] };
}
