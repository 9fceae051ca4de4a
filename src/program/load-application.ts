/** Loads an application from a file, for `todo-item-service explain ./my-app.js`. */
import { resolve } from 'node:path';
import type { RunnableApplication } from '../index.ts';
import { RouteCollection } from '../routing.ts';
import { loadMade } from './load-plugins.ts';
import { SettingsError } from './settings/settings.ts';

/**
 * The application that a file exports; a function that it exports is called for it. The file and what it imports get
 * this library, as plugin files do (D80). Rejects with a `SettingsError` that names the file and the mistake.
 */
export async function loadApplication(file: string): Promise<RunnableApplication> {
  const refusal = (reason: string): SettingsError => new SettingsError(`Cannot explain "${file}": ${reason}`);
  const made = await loadMade(
    resolve(file),
    ({ default: main, app, application }) => [main, app, application].find(isExported) ?? main ?? app ?? application,
    refusal,
  );
  if (!isApplication(made)) {
    const cause = made === undefined ? 'it exports no application' : 'what it exports is no application';
    throw refusal(`${cause}; export default application([…]), or a function that returns it`);
  }
  if (made.routes instanceof RouteCollection) return made;
  const remedy = 'import it as "todo-item-service", and give the file before it is bundled';
  throw refusal(`its application is of another copy of the library; ${remedy}`);
}

const isExported = (value: unknown): boolean => typeof value === 'function' || isApplication(value);

const isApplication = (value: unknown): value is RunnableApplication =>
  typeof (value as RunnableApplication | null | undefined)?.recomposed === 'function';
