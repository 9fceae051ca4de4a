/**
 * Loads plugins (`--plugin ./x.js`) and applications (`explain ./my-app.js`) from files. A file exports one, or a
 * function that receives the main entry of the library and returns one or a promise of it (D80).
 */
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, PluginError, pluginFault } from '../core/application/plugin.ts';
import { thrownMember, thrownMessage } from '../core/log/thrown-value.ts';
import * as library from '../index.ts';
import { quoted } from './quoted.ts';
import { SettingsError } from './settings/settings.ts';
import { unlessStuck } from './unless-stuck.ts';

/**
 * The plugins of these files, in order. Rejects with a `PluginError` that names the file and the mistake, or with an
 * `AggregateError` of them for several wrong files.
 */
export async function loadPlugins(files: readonly string[]): Promise<readonly Plugin[]> {
  const plugins: Plugin[] = [];
  const errors: unknown[] = [];
  for (const file of files) {
    try {
      plugins.push(await loadPlugin(file));
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, errors.map(thrownMessage).join('; '));
  if (errors.length === 1) throw errors[0];
  return plugins;
}

async function loadPlugin(file: string): Promise<Plugin> {
  const refusal = (reason: string): PluginError => new PluginError('Cannot load the plugin', basename(file), reason);
  let exported: unknown;
  const made = await loadMade(file, (loaded) => (exported = loaded['default']), refusal);
  if (typeof made !== 'object' || made === null) {
    const cause =
      typeof exported === 'function' ? 'its function returned no plugin' : 'it has no default export that is a plugin';
    throw refusal(`${cause}; export { name, … }, or a function that returns it`);
  }
  const fault = pluginFault(made);
  if (fault !== undefined) throw refusal(fault);
  return made as Plugin;
}

/** The application that a file exports. Rejects with a `SettingsError` that names the file and the mistake. */
export async function loadApplication(file: string): Promise<library.RunnableApplication> {
  const refusal = (reason: string): SettingsError => new SettingsError(`Cannot explain ${quoted(file)}: ${reason}`);
  let awaited = 'its top-level await';
  const making = loadMade(
    resolve(file),
    ({ default: main, app, application }) => {
      awaited = 'the promise that it exports, or that its function returns,';
      const isExported = (value: unknown): boolean => typeof value === 'function' || isApplication(value);
      return [main, app, application].find(isExported) ?? main ?? app ?? application;
    },
    refusal,
  );
  const made = await unlessStuck(making, () => refusal(`${awaited} never settles; correct the file`));
  if (isApplication(made)) return made;
  const cause = made === undefined ? 'it exports nothing to explain' : 'its export is not an application';
  throw refusal(`${cause}; export default application([…]), or a function that returns it`);
}

const isApplication = (value: unknown): value is library.RunnableApplication =>
  typeof (value as library.RunnableApplication | null | undefined)?.refuse === 'function';

/** What the chosen export is, or what it returns if it is a function. Rejects with a refusal for a file that fails. */
async function loadMade(
  file: string,
  chosen: (loaded: Readonly<Record<string, unknown>>) => unknown,
  refusal: (reason: string) => Error,
): Promise<unknown> {
  try {
    const exported = chosen((await import(pathToFileURL(file).href)) as Record<string, unknown>);
    return await (typeof exported === 'function' ? exported(library) : exported);
  } catch (error) {
    const code = thrownMember(error, 'code');
    // Node has no right to ask whether a file exists that it has no right to read.
    if (code === 'ERR_ACCESS_DENIED')
      throw refusal(`Node has no right to what it needs (${causeOf(error)}); start it with that right`);
    if (!existsSync(file)) throw refusal('there is no such file; name another');
    if (code === 'ERR_UNKNOWN_FILE_EXTENSION')
      throw refusal(
        `Node ${process.version} loads no such file; give JavaScript, or TypeScript to Node 22.18 or later`,
      );
    const remedy = LACKS_LIBRARY.test(thrownMessage(error))
      ? 'export a function instead, which receives the library: export default ({ route, text }) => …'
      : 'correct the file';
    throw refusal(`it fails with "${causeOf(error)}"; ${remedy}`);
  }
}

/** The library is not installed beside the file, or not built. */
const LACKS_LIBRARY = /Cannot find (?:module|package) '(?:todo-item-service['/]|.*\/dist\/library\/)/;

/** The first line of a message, with the second where the first ends in a colon. File names replace their paths. */
function causeOf(error: unknown): string {
  return thrownMessage(error)
    .replace(/:\s*\n\s*/, ': ')
    .replace(/\s*\n[^]*/, '')
    .replace(/ imported from .*/, '')
    .replace(/(?<![\w:/.])(?:file:\/\/)?\/(?:[^\s'":/]+\/)+([^\s'"/]+)/g, '$1');
}
