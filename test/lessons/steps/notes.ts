/** Notes by title, for the steps about routes: the same three routes, in the form that each step supports. */
import { type Context, type Reply, type RouteHandler, type Stage, text, route as withExpression } from '../tiny.ts';
import { type Values, route as withTemplate } from './step-7-template.ts';
import { collection } from './step-8-collection.ts';
import { linkedCollection, type NamedRoute } from './step-9-link.ts';

/** Returns the functions of the routes, which do not depend on the step. */
export function notebook() {
  const stored = new Map([['a b', 'the first note']]);
  return {
    titles: () => text([...stored.keys()].join('\n')),
    read(title: string): Reply {
      const note = stored.get(title);
      return note === undefined ? text('This note does not exist', 404) : text(note);
    },
    /** Stores a note and returns its title. */
    async add(context: { body(): Promise<Uint8Array> }): Promise<string> {
      const title = Buffer.from(await context.body()).toString();
      stored.set(title, `a note about ${title}`);
      return title;
    },
  };
}

export function created(location: string): Reply {
  const reply = text('stored', 201);
  return { ...reply, headers: { ...reply.headers, Location: location } };
}

export function notes(step: number): readonly Stage[] {
  const { titles, read, add } = notebook();
  const all = { method: 'GET', template: '/notes.txt', handle: titles };
  const one = {
    method: 'GET',
    template: '/notes/{title}',
    handle: (_: Context, values: Values) => read(values['title']!),
  };
  if (step >= 9) {
    const handle: NamedRoute['handle'] = async (context, _, link) =>
      created(link('note', { title: await add(context) }));
    return [linkedCollection([all, { ...one, name: 'note' }, { method: 'POST', template: '/notes', handle }])];
  }
  const addByHand: RouteHandler = async (context) => created(`/notes/${await add(context)}`);
  const routes = [all, one, { method: 'POST', template: '/notes', handle: addByHand }];
  if (step === 8) return [collection(routes)];
  const route = step === 7 ? withTemplate : withExpression;
  return routes.map(({ method, template, handle }) => route(method, template, handle));
}
