/** Loads an application from a file, for `todo-item-service explain ./my-app.js`. */
import { resolve } from 'node:path';
import type { RunnableApplication } from '../index.ts';
import { loadMade } from './load-plugins.ts';
import { quoted } from './quoted.ts';
import { SettingsError } from './settings/settings.ts';
import { unlessStuck } from './unless-stuck.ts';

/**
 * The application that a file exports. An exported function is called with the library (D80); its result counts. The
 * file may also import a copy of the library. Rejects with a `SettingsError` that names the file and the mistake.
 */
export async function loadApplication(file: string): Promise<RunnableApplication> {
  const refusal = (reason: string): SettingsError => new SettingsError(`Cannot explain ${quoted(file)}: ${reason}`);
  let awaited = 'its top-level await';
  const making = loadMade(
    resolve(file),
    ({ default: main, app, application }) => {
      awaited = 'the promise that it exports, or that its function returns,';
      return [main, app, application].find(isExported) ?? main ?? app ?? application;
    },
    refusal,
  );
  const made = await unlessStuck(making, () => refusal(`${awaited} never settles; correct the file`));
  if (isApplication(made)) return made;
  const cause = made === undefined ? 'it exports nothing to explain' : 'its export is not an application';
  throw refusal(`${cause}; export default application([…]), or a function that returns it`);
}

const isExported = (value: unknown): boolean => typeof value === 'function' || isApplication(value);

const isApplication = (value: unknown): value is RunnableApplication =>
  typeof (value as RunnableApplication | null | undefined)?.refuse === 'function';
