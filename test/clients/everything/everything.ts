/** An application that uses everything an operation can declare, from the library alone. */

import type { PropertyNaming } from '../../../src/index.ts';
import { application, operations, type Plugin, routesOf } from '../../../src/index.ts';
import { description } from '../../../src/plugins/description/description.ts';
import { authentication } from '../../../src/shelf/authentication/authentication.ts';
import { answers } from './answers.ts';
import { bodies } from './bodies.ts';
import { codes, parameters } from './parameters.ts';
import { authenticators, keys, secrets } from './secrets.ts';
import { tasks } from './tasks.ts';
import { uploads } from './uploads.ts';

/** How it describes itself. */
export const INFO = {
  title: 'Everything that an operation can declare',
  description: 'Answers what arrived',
  contact: { url: 'https://everything.example' },
} as const;

/** Composes it. `outer` are the plugins in front of its own. */
export function everything(naming: PropertyNaming, basePath: string, outer: readonly Plugin[]) {
  const routes = routesOf(parameters, codes, bodies, answers, tasks(naming), secrets, uploads);
  const plugin: Plugin = { name: 'everything', routes };
  return application(
    [operations({ naming, security: [keys] }), ...outer, authentication(...authenticators), plugin, description(INFO)],
    { basePath },
  );
}
