/** Notes by their titles, for the steps about routes: the same three routes, written as each step can write them. */
import { type Context, type Reply, type RouteHandler, type Stage, text, route as withExpression } from '../tiny.ts';
import { type Values, route as withTemplate } from './step-7-template.ts';
import { collection } from './step-8-collection.ts';
import { linkedCollection, type NamedRoute } from './step-9-link.ts';

/** What the routes do, whatever has found them. */
export function notebook() {
  const kept = new Map([['a b', 'the first note']]);
  return {
    titles: () => text([...kept.keys()].join('\n')),
    read(title: string): Reply {
      const note = kept.get(title);
      return note === undefined ? text('There is no such note', 404) : text(note);
    },
    /** Keeps a note and returns its title. */
    async add(context: { body(): Promise<Uint8Array> }): Promise<string> {
      const title = Buffer.from(await context.body()).toString();
      kept.set(title, `a note about ${title}`);
      return title;
    },
  };
}

export function created(location: string): Reply {
  const reply = text('kept', 201);
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
