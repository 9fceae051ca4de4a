/** Exports what the makers of the library return, as a package does that gives it on to others. */
import { createServer } from 'node:http';
import { HttpService, stageLabel } from '../../src/extending.ts';
import { apiKeys, authentication, bearerTokens } from '../../src/extensions/authentication/authentication.ts';
import { missingItem, RepresentedCollection } from '../../src/extensions/collection/collection.ts';
import { describe, describeOpenApi } from '../../src/extensions/description/description.ts';
import { type StaticFilesOptions, staticFiles, staticSite } from '../../src/extensions/files/files.ts';
import { metrics } from '../../src/extensions/monitoring/monitoring.ts';
import { todo } from '../../src/extensions/todo/todo.ts';
import { forwarded, RouteCollection, type RouteMatch, routing, trustedProxies } from '../../src/http.ts';
import {
  application,
  badRequest,
  type Context,
  contextWith,
  controller,
  created,
  HttpProblem,
  insufficientStorage,
  listener,
  mounted,
  noContent,
  notFound,
  type OperationInput,
  ok,
  operation,
  pipeline,
  preconditionFailed,
  problems,
  type Responses,
  type RouteInput,
  route,
  schema,
  text,
  type ValuesOf,
} from '../../src/index.ts';
import { csv, type ParameterValues, routesOf, securityScheme, serializer } from '../../src/operations.ts';
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
  bad: badRequest('Why', [{ pointer: '/name', detail: 'Too long' }]),
  full: insufficientStorage('Full'),
  missing: missingItem('1'),
  none: noContent(),
  past: preconditionFailed('Past'),
};

export const tokens = bearerTokens({ secret: { identity: { name: 'Ann' } } });
export const keys = apiKeys((key) => ({ identity: key.length }));
export const guard = authentication(tokens, keys);
export const basic = securityScheme('Basic', { type: 'http', scheme: 'basic' });

export const hello = route({ path: 'hello/{name}/{mark?}', handle: ({ values }) => text(values.name) });
export const nextOf = ({ values, link }: RouteInput<ValuesOf<'api/{id}'>>) => link('next', values);
export const routes = new RouteCollection().add(hello, ...routesOf(plain, nested));
export const valuesOf = (match: RouteMatch) => match.values;
export const answered = (context: Context) => routes.match(context);
export const linked = routes.link({ name: 'World' });
export const told = { why: routes.explain('GET', '/'), whyLink: routes.explainLink({}), shadowed: routes.shadowed() };

export const composed = application([todo(), guard, { name: 'tasks', controllers: [plain, nested] }]);
export const { handler, refuse, stages, start, stop } = composed;
export const label = stageLabel({ name: 'served', plugin: 'even' });
export const service = new HttpService({ handler, refuse });
export const server = createServer(listener(handler));
export const answer = () => composed.request('/');

export const swagger = describe(routes, { title: 'Tasks' });
export const openapi = describeOpenApi(routes, { title: 'Tasks' });
export const proxies = trustedProxies(['loopback']);
export const client = ({ request }: Context) => forwarded(request, proxies);
export const checked = application([verification(), guard]);
export const { store } = todo();
export const tasks = new RepresentedCollection(task, 'camelCase', { maxItems: 1 });
export const list = () => tasks.list();
export const write = serializer(task, 'camelCase');
export const table = csv(['name']);
export const under = mounted('tools', metrics());
export const site = (options: StaticFilesOptions) => ({ ...staticSite(options), name: 'site' });
export const inner = [problems(), staticFiles({ root: '.' }), routing(routes)];
export const whole = pipeline(inner);
export const context = contextWith(contextFor('/'), { path: '/other' });
export const refusal = new HttpProblem(418, 'Tea');
