/**
 * Step 7: a template.
 *
 * Without it: `tiny.ts` turns a template into one regular expression and tests the undecoded path. A period in the
 * template matches any character, so a path answers that no route declares. An escape in the path is not decoded: the
 * client asks for `a b`, but the handler looks for `a%20b`. A guard that decodes sees another path than the route.
 *
 * See it: start the step before this one, then send requests from another terminal. The note is there, and the second
 * path is not `/notes.txt`.
 *
 *     node --import tsx test/lessons/steps/serve.ts 6
 *     curl localhost:8080/notes/a%20b
 *     curl localhost:8080/notes-txt
 *
 * Added: template and path are split at their slashes. Then the pieces are decoded and compared without regard to case.
 *
 * The real core: `src/core/routing/template.ts` parses templates, with constraints, defaults and catch-alls, and
 * reports each mistake with its place. `src/core/routing/match-route.ts` compares.
 */
import type { RouteHandler, Stage } from '../tiny.ts';
import { HttpProblem } from './step-1-thrown-string.ts';

export type Values = Record<string, string>;

/** Returns a function that reads the values of a path. It returns undefined if the path does not match. */
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
    throw new HttpProblem(400, 'The path has a malformed escape');
  }
}

/** Like `route` of `tiny.ts`, but with a template instead of a regular expression. */
export function route(method: string, template: string, handle: RouteHandler): Stage {
  const match = templateOf(template);
  return (context, next) => {
    const values = context.method === method ? match(context.path) : undefined;
    return values === undefined ? next(context) : handle(context, values);
  };
}
