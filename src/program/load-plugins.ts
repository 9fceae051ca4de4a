/** Loads plugins from files (`--plugin ./x.js`), whose default export is a plugin or a function that returns one. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from '../core/application/plugin.ts';
import { faultOf, PluginError } from '../core/application/plugin-shape.ts';
import { thrownMember, thrownMessage } from '../core/log/thrown-value.ts';
import { registerLibrary } from './library.ts';

/**
 * The plugins of these files, in order. A copy of the service, which has a number, loads them anew. Rejects with a
 * `PluginError` that names the file and the mistake, or with an `AggregateError` of them for several wrong files.
 */
export async function loadPlugins(files: readonly string[], copy?: number): Promise<readonly Plugin[]> {
  if (files.length > 0) await registerLibrary();
  const plugins: Plugin[] = [];
  const errors: unknown[] = [];
  for (const file of files) {
    try {
      plugins.push(await loadPlugin(file, copy));
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, errors.map(thrownMessage).join('; '));
  if (errors.length === 1) throw errors[0];
  return plugins;
}

async function loadPlugin(file: string, copy: number | undefined): Promise<Plugin> {
  const refusal = (reason: string): PluginError => new PluginError('Cannot load the plugin', basename(file), reason);
  let made: unknown;
  try {
    const loaded = (await import(pathToFileURL(file).href + (copy === undefined ? '' : `?copy=${copy}`))) as {
      readonly default?: unknown;
    };
    made = typeof loaded.default === 'function' ? await (loaded.default as () => unknown)() : loaded.default;
  } catch (error) {
    // Node has no right to ask whether a file exists that it has no right to read.
    if (thrownMember(error, 'code') === 'ERR_ACCESS_DENIED')
      throw refusal(`Node has no right to what it needs (${causeOf(error)}); start it with that right`);
    const failure = `it fails with "${causeOf(error)}"; correct the file`;
    throw refusal(existsSync(file) ? failure : 'there is no such file; name another');
  }
  if (typeof made !== 'object' || made === null) {
    throw refusal('it has no default export that is a plugin; export { name, … } or a function that returns it');
  }
  const fault = faultOf(made);
  if (fault !== undefined) throw refusal(fault);
  return made as Plugin;
}

/** The first line of a message, with the second where the first ends in a colon. File names replace their paths. */
function causeOf(error: unknown): string {
  return thrownMessage(error)
    .replace(/:\s*\n\s*/, ': ')
    .replace(/\s*\n[^]*/, '')
    .replace(/ imported from .*/, '')
    .replace(/(?<![\w:/.])(?:file:\/\/)?\/(?:[^\s'":/]+\/)+([^\s'"/]+)/g, '$1');
}
