/**
 * Loads plugins (`--plugin ./x.js`) and applications (`explain ./my-app.js`) from files. A file exports the plugin or
 * the application, or a function that returns it. The export and the result of the function may be promises. The
 * function receives the exports of the library's main entry (D80).
 */
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, PluginError, pluginFault } from '../core/application/plugin.ts';
import { thrownMember, thrownMessage } from '../core/log/thrown-value.ts';
import * as library from '../index.ts';
import { quoted } from './quoted.ts';
import { SettingsError } from './settings/settings.ts';
import { allOf } from './start-errors.ts';

/** Rejects with an `AggregateError` that has a `PluginError` for each wrong file. */
export const loadPlugins = (files: readonly string[]): Promise<readonly Plugin[]> => allOf(files.map(loadPlugin));

async function loadPlugin(file: string): Promise<Plugin> {
  const failure = (reason: string): PluginError => new PluginError('Cannot load the plugin', basename(file), reason);
  const value = await loadExport(file, (loaded) => loaded['default'], failure);
  if (typeof value !== 'object' || value === null)
    throw failure('it does not export a plugin; export default { name, … }, or a function that returns it');
  const fault = pluginFault(value);
  if (fault !== undefined) throw failure(fault);
  return value as Plugin;
}

/** Resolves to the application that a file exports. Rejects with a `SettingsError` with the file and the mistake. */
export async function loadApplication(file: string): Promise<library.RunnableApplication> {
  const failure = (reason: string): SettingsError => new SettingsError(`Cannot explain ${quoted(file)}: ${reason}`);
  const isExported = (value: unknown): boolean => typeof value === 'function' || isApplication(value);
  const value = await loadExport(
    resolve(file),
    ({ default: main, app, application }) => [main, app, application].find(isExported) ?? main ?? app ?? application,
    failure,
  );
  if (isApplication(value)) return value;
  throw failure('it does not export an application; export default application([…]), or a function that returns it');
}

const isApplication = (value: unknown): value is library.RunnableApplication =>
  typeof (value as library.RunnableApplication | null | undefined)?.refuse === 'function';

/** Resolves to the export that `choose` returns, or to the result of this function. Rejects with a `failure`. */
async function loadExport(
  file: string,
  choose: (loaded: Readonly<Record<string, unknown>>) => unknown,
  failure: (reason: string) => Error,
): Promise<unknown> {
  try {
    const exported = choose((await import(pathToFileURL(file).href)) as Record<string, unknown>);
    return await (typeof exported === 'function' ? exported(library) : exported);
  } catch (error) {
    const code = thrownMember(error, 'code');
    // Checked first, because `existsSync` returns false for a file that Node has no right to read.
    if (code === 'ERR_ACCESS_DENIED')
      throw failure(`Node has no right to what it needs (${causeOf(error)}); start it with that right`);
    if (!existsSync(file)) throw failure('the file does not exist; name another');
    if (code === 'ERR_UNKNOWN_FILE_EXTENSION')
      throw failure(
        `Node ${process.version} cannot load this kind of file; give JavaScript, or TypeScript to Node 22.18 or later`,
      );
    const remedy = LACKS_LIBRARY.test(thrownMessage(error))
      ? 'export a function instead, which receives the library: export default ({ route, text }) => …'
      : 'correct the file';
    throw failure(`it fails with "${causeOf(error)}"; ${remedy}`);
  }
}

/** Matches Node's message if the library is not installed in a folder above the file, or is not built. */
const LACKS_LIBRARY = /Cannot find (?:module|package) '(?:todo-item-service['/]|.*\/dist\/library\/)/;

/** Returns the first line of a message, and the second if the first ends with a colon. Shortens paths to file names. */
function causeOf(error: unknown): string {
  return thrownMessage(error)
    .replace(/:\s*\n\s*/, ': ')
    .replace(/\s*\n[^]*/, '')
    .replace(/ imported from .*/, '')
    .replace(/(?<![\w:/.])(?:file:\/\/)?\/(?:[^\s'":/]+\/)+([^\s'"/]+)/g, '$1');
}
