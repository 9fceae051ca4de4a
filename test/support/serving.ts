/** Composes an application of these routes and plugins, and collects the errors that it logs. */
import { application } from '../../src/core/application/application.ts';
import type { Plugin } from '../../src/core/application/plugin.ts';
import type { IncompleteRoute } from '../../src/core/routing/composition.ts';
import type { Route } from '../../src/core/routing/route.ts';

export function serving(routes: readonly (Route | IncompleteRoute)[], ...plugins: readonly Plugin[]) {
  const errors: unknown[] = [];
  const log = (error: unknown) => void errors.push(error);
  return { ...application([...plugins, { name: 'test', routes }], { log }), errors };
}
