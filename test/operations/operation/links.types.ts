/**
 * Links to operations that must not compile. An `@ts-expect-error` is itself an error if the next line compiles.
 * Nothing here runs; `npm run typecheck` reads it.
 */
import {
  type AnyOperation,
  type Controller,
  controller,
  noContent,
  ok,
  operation,
  route,
  text,
} from '../../../src/index.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never;
const same = <A, B>(_value: A, _is: Same<A, B>): void => undefined;

const rest = { method: 'GET', responses: { 204: {} }, handle: () => noContent() } as const;
const list = operation({ ...rest, path: '', query: { page: { type: 'integer', default: 1 }, tag: { type: 'array' } } });
const search = operation({
  ...rest,
  path: 'search',
  query: { word: { type: 'string', required: true }, sort: { type: 'string', enum: ['up', 'down'] } },
});
const read = operation({ ...rest, path: '{id:int}' });
const part = operation({ ...rest, path: '{id}/{name=World}/{kind}/{on:bool?}', parameters: { kind: 'Its kind' } });
const kinds = operation({ ...rest, path: 'k/{kind}', parameters: { kind: { type: 'string', enum: ['a', 'b'] } } });
const rests = operation({ ...rest, path: 'files/{*path}' });
const any: AnyOperation = read;

operation({
  ...rest,
  path: 'x/{id}/{kind}',
  handle({ link, values, parameters }) {
    // The parameters of this operation's path come from the request.
    same<ReturnType<typeof to>, string>(to(), true);
    function to() {
      return link(read);
    }
    link(read, { id: 5 });
    link(read, { id: values.id });
    link(read, { id: undefined });
    link(part, { on: true });
    // @ts-expect-error A value that is not in this path
    link(read, { ids: 5 });
    // @ts-expect-error A value that the constraint refuses
    link(read, { id: true });
    // @ts-expect-error A value that no link takes
    link(read, { id: {} });
    // @ts-expect-error A value that is not in the enum
    link(kinds, { kind: parameters.id });
    link(kinds, { kind: 'a' });
    return noContent();
  },
});

operation({
  ...rest,
  path: '',
  handle({ link, route: own }) {
    // @ts-expect-error Neither an operation nor the name of a route
    link(own);
    const paths: readonly string[] = [
      link(list),
      link(list, { page: 2, tag: ['a', 'b'] }),
      link(list, { page: null, tag: 'a' }),
      link(search, { word: 'a', sort: 'up' }),
      link(read, { id: 1n }),
      link(read, [['id', 1]]),
      link(read, new Map([['lang', 'de']])),
      link(part, { id: 1, kind: 'a' }),
      link(part, { id: 1, name: 'b', kind: 'a', on: undefined }),
      link(rests),
      link(rests, { path: 'a/b' }),
      link(any, { whatever: 1 }),
      link(() => read, { id: 1 }),
      link({ page: 2 }),
    ];
    const asked: string | undefined = link('ApiGet', { id: 1 });
    // @ts-expect-error A link by name may be undefined
    const certain: string = link('ApiGet');
    // @ts-expect-error A path value is missing
    link(read);
    // @ts-expect-error A path value is missing
    link(read, {});
    // @ts-expect-error One of two values is missing
    link(part, { id: 1 });
    // @ts-expect-error A parameter that the query does not have
    link(list, { pages: 2 });
    // @ts-expect-error A required query parameter is missing
    link(search, { sort: 'up' });
    // @ts-expect-error A value that is not in the enum
    link(search, { word: 'a', sort: 'sideways' });
    void [paths, asked, certain];
    return noContent();
  },
});

// Operations of a controller whose path has parameters: both are required, or come from the request.
export const tasks: Controller = controller({
  name: 'Tasks',
  path: 'lists/{list:int}/tasks',
  operations(below) {
    const readTask = below({ ...rest, path: '{task}' });
    const links = below({
      ...rest,
      path: '',
      handle({ link }) {
        link(readTask, { task: 1 });
        link(readTask, { list: 2, task: 1 });
        // @ts-expect-error The task is missing
        link(readTask);
        return noContent();
      },
    });
    operation({
      ...rest,
      path: 'outside',
      handle({ link }) {
        link(readTask, { list: 2, task: 1 });
        // @ts-expect-error The list is missing
        link(readTask, { task: 1 });
        return noContent();
      },
    });
    return [readTask, links];
  },
});

// Two operations that link to each other, and one that links to itself, need no annotation.
const responses = { 200: { schema: { type: 'string' } } } as const;
const device = operation({ method: 'GET', path: '{id}', responses, handle: ({ link }) => ok(link(() => loan)) });
const loan = operation({ method: 'GET', path: '{id}/loan', responses, handle: ({ link }) => ok(link(device)) });
const itself = operation({ method: 'GET', path: 'a', responses, handle: ({ link }) => ok(link(() => itself)) });
same<typeof device.path, '{id}'>(device.path, true);
same<typeof loan.path, '{id}/loan'>(loan.path, true);
export const both = [device, loan, itself];

route({
  path: 'a/{n}',
  handle({ link }) {
    const own: string = link({ n: 1 });
    const asked: string | undefined = link('name');
    return text(`${own} ${asked}`);
  },
});
