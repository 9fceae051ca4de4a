/** Loads plugins from files (`--plugin ./x.js`), whose default export is a plugin or a function that returns one. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { faultOf, type Plugin, PluginError } from '../core/application/plugin.ts';
import { thrownMember, thrownMessage } from '../core/log/thrown-value.ts';

/**
 * The plugins of these files, in order. A copy of the service, which has a number, loads them anew. Rejects with a
 * `PluginError` that names the file and the mistake, or with an `AggregateError` of them for several wrong files.
 */
export async function loadPlugins(files: readonly string[], copy?: number): Promise<readonly Plugin[]> {
  const plugins: Plugin[] = [];
  const errors: unknown[] = [];
  for (const file of files)
    await loadPlugin(file, copy).then(
      (plugin) => plugins.push(plugin),
      (error: unknown) => errors.push(error),
    );
  if (errors.length > 1) throw new AggregateError(errors, errors.map(thrownMessage).join('; '));
  if (errors.length === 1) throw errors[0];
  return plugins;
}

async function loadPlugin(file: string, copy: number | undefined): Promise<Plugin> {
  const refusal = (reason: string): PluginError => new PluginError('Cannot load the plugin', basename(file), reason);
  const query = copy === undefined ? '' : `?copy=${copy}`;
  const made = await loadMade(file, (loaded) => loaded['default'], refusal, query);
  if (typeof made !== 'object' || made === null) {
    throw refusal('it has no default export that is a plugin; export { name, … } or a function that returns it');
  }
  const fault = faultOf(made);
  if (fault !== undefined) throw refusal(fault);
  return made as Plugin;
}

/**
 * What a file exports, or what the function returns that it exports. `chosen` is given the module. Rejects with the
 * error that `refusal` makes of the reason for a file that is not there, or fails.
 */
export async function loadMade(
  file: string,
  chosen: (loaded: Readonly<Record<string, unknown>>) => unknown,
  refusal: (reason: string) => Error,
  query = '',
): Promise<unknown> {
  await registerLibrary();
  try {
    const exported = chosen((await import(pathToFileURL(file).href + query)) as Record<string, unknown>);
    return typeof exported === 'function' ? await (exported as () => unknown)() : await exported;
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
    throw refusal(`it fails with "${causeOf(error)}"; correct the file`);
  }
}

/** The first line of a message, with the second where the first ends in a colon. File names replace their paths. */
function causeOf(error: unknown): string {
  return thrownMessage(error)
    .replace(/:\s*\n\s*/, ': ')
    .replace(/\s*\n[^]*/, '')
    .replace(/ imported from .*/, '')
    .replace(/(?<![\w:/.])(?:file:\/\/)?\/(?:[^\s'":/]+\/)+([^\s'"/]+)/g, '$1');
}

/** What the types of Node 20 do not have. */
interface Loader {
  register(url: string): void;
  readonly registerHooks?: (hooks: {
    resolve(name: string, context: { readonly conditions: readonly string[] }, next: (name: string) => object): object;
  }) => void;
  _load(name: string, ...others: readonly unknown[]): unknown;
}

let registered: Promise<void> | undefined;

/**
 * Answers `todo-item-service` and its entries with this library in every file (D80). A plugin file stands
 * anywhere, also where there is no `node_modules`. Where another copy is installed beside it, that one may be of
 * another version than the service. So the names are answered before any folder is searched.
 */
const registerLibrary = (): Promise<void> => (registered ??= register());

async function register(): Promise<void> {
  // Loaded here: a service without plugin files starts without them.
  const library: Readonly<Record<string, object>> = await import('./library-entries.ts');
  const loader = process.getBuiltinModule('node:module') as unknown as Loader;
  const load = loader._load;
  loader._load = function loadLibrary(name, ...others) {
    return Object.hasOwn(library, name) ? library[name] : Reflect.apply(load, this, [name, ...others]);
  };

  // The modules that are imported are texts, and the bundle has no file to import: they find the library here.
  Object.defineProperty(globalThis, Symbol.for('todo-item-service'), { value: library });
  const moduleOf = (name: string, members: object): string =>
    `export const { ${Object.keys(members).join(', ')} } = globalThis[Symbol.for('todo-item-service')]['${name}'];`;
  const found = Object.entries(library).map(
    ([name, members]) =>
      [name, { url: dataUrl(moduleOf(name, members)), format: 'module', shortCircuit: true }] as const,
  );
  if (loader.registerHooks) {
    const modules = new Map<string, object>(found);
    loader.registerHooks({
      resolve: (name, { conditions }, next) => (!conditions.includes('require') && modules.get(name)) || next(name),
    });
    return;
  }
  // The hooks of Node 20 run in a thread of their own and are not asked by `require`.
  const hook = `const modules = new Map(${JSON.stringify(found)});
    export const resolve = (name, context, next) => modules.get(name) ?? next(name);`;
  try {
    loader.register(dataUrl(hook));
  } catch {
    // Where `--experimental-permission` allows no threads, a plugin that does not import the library still loads.
  }
}

const dataUrl = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;
