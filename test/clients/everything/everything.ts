/** An application that uses everything an operation can declare, from the library alone. */

import { authentication } from '../../../src/extensions/authentication/authentication.ts';
import { description } from '../../../src/extensions/description/description.ts';
import { type ApplicationOptions, application, type Plugin } from '../../../src/index.ts';
import { answers } from './answers.ts';
import { bodies } from './bodies.ts';
import { parameters } from './parameters.ts';
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
export function everything(options: ApplicationOptions, outer: readonly Plugin[] = []) {
  const { naming = 'camelCase' } = options;
  const plugin: Plugin = {
    name: 'everything',
    controllers: [parameters, bodies, answers, tasks(naming), secrets, uploads],
  };
  return application([...outer, authentication(...authenticators), plugin, description(INFO)], {
    ...options,
    naming,
    security: [keys],
  });
}
