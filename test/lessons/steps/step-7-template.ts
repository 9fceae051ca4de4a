/**
 * Step 7: a template.
 *
 * Without it: `tiny.ts` makes one expression of a template and asks it about the path as it was sent. A period in the
 * template is any character, so a path answers that nobody has declared. An escape in the path stays one: the client
 * asks for `a b`, the handler looks for `a%20b`, and a guard that decodes sees another path than the route.
 *
 * How one sees it: start the step before it, then ask from another terminal. The note is there, and the second path is
 * not `/notes.txt`.
 *
 *     node --import tsx test/lessons/steps/serve.ts 6
 *     curl localhost:8080/notes/a%20b
 *     curl localhost:8080/notes-txt
 *
 * Added: template and path are split at their slashes, and then the pieces are decoded and compared, ignoring case.
 *
 * The real core: `src/core/routing/template.ts` reads templates, with constraints, defaults and catch-alls, and tells
 * each mistake with its place. `src/core/routing/match-route.ts` compares.
 */
import type { RouteHandler, Stage } from '../tiny.ts';
import { HttpProblem } from './step-1-thrown-string.ts';

export type Values = Record<string, string>;

/** Reads the values of a path; undefined where it does not match. */
export function templateOf(text: string): (path: string) => Values | undefined {
  const pieces = text.split('/');
  return (path) => {
    const sent = path.split('/');
    if (sent.length !== pieces.length) return undefined;
    const values: Values = {};
    for (const [at, piece] of pieces.entries()) {
      const value = decoded(sent[at]!);
      const name = /^\{(\w+)\}$/.exec(piece)?.[1];
      if (name !== undefined && value !== '') values[name] = value;
      else if (value.toLowerCase() !== piece.toLowerCase()) return undefined;
    }
    return values;
  };
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    throw new HttpProblem(400, 'The path has an escape that is malformed');
  }
}

/** As the `route` of `tiny.ts`, with a template in place of the expression. */
export function route(method: string, template: string, handle: RouteHandler): Stage {
  const match = templateOf(template);
  return (context, next) => {
    const values = context.method === method ? match(context.path) : undefined;
    return values === undefined ? next(context) : handle(context, values);
  };
}
