/** The library, whole: each public entry of the package with what it exports. */
import * as extending from '../extending.ts';
import * as accessLog from '../extensions/access-log/access-log.ts';
import * as allowedMethods from '../extensions/allowed-methods/allowed-methods.ts';
import * as authentication from '../extensions/authentication/authentication.ts';
import * as collection from '../extensions/collection/collection.ts';
import * as cors from '../extensions/cors/cors.ts';
import * as description from '../extensions/description/description.ts';
import * as events from '../extensions/events/events.ts';
import * as files from '../extensions/files/files.ts';
import * as health from '../extensions/health/health.ts';
import * as metrics from '../extensions/metrics/metrics.ts';
import * as rateLimit from '../extensions/rate-limit/rate-limit.ts';
import * as redis from '../extensions/redis/redis-store.ts';
import * as sqlite from '../extensions/sqlite/sqlite-store.ts';
import * as swaggerPage from '../extensions/swagger-page/swagger-page.ts';
import * as todo from '../extensions/todo/todo.ts';
import * as uploads from '../extensions/uploads/upload.ts';
import * as verification from '../extensions/verification/verification.ts';
import * as http from '../http.ts';
import * as main from '../index.ts';
import * as instrument from '../instrument.ts';
import * as operations from '../operations.ts';
import * as routing from '../routing.ts';
import * as testing from '../testing.ts';

/** The entries by the names that a plugin file imports. */
export const LIBRARY: Readonly<Record<string, object>> = {
  'todo-item-service': main,
  'todo-item-service/http': http,
  'todo-item-service/routing': routing,
  'todo-item-service/operations': operations,
  'todo-item-service/extending': extending,
  'todo-item-service/instrument': instrument,
  'todo-item-service/testing': testing,
  'todo-item-service/access-log': accessLog,
  'todo-item-service/allowed-methods': allowedMethods,
  'todo-item-service/authentication': authentication,
  'todo-item-service/collection': collection,
  'todo-item-service/cors': cors,
  'todo-item-service/description': description,
  'todo-item-service/events': events,
  'todo-item-service/files': files,
  'todo-item-service/health': health,
  'todo-item-service/metrics': metrics,
  'todo-item-service/rate-limit': rateLimit,
  'todo-item-service/redis': redis,
  'todo-item-service/sqlite': sqlite,
  'todo-item-service/swagger-page': swaggerPage,
  'todo-item-service/todo': todo,
  'todo-item-service/uploads': uploads,
  'todo-item-service/verification': verification,
};

/**
 * Makes `todo-item-service`, and what is below it, mean the running library in every file that is loaded from now on
 * (D80).
 *
 * A plugin file stands anywhere, also where there is no `node_modules`. Where another copy is installed beside it, that
 * one may be of another version than the service. So the names are answered before any folder is searched.
 */
type Found = Readonly<Record<'url' | 'format', string>>;

/** What the types of Node 20 do not have. */
interface Loader {
  register(url: string): void;
  readonly registerHooks?: (hooks: {
    resolve(name: string, context: { readonly conditions: readonly string[] }, next: (name: string) => object): object;
    load(url: string, context: object, next: (url: string) => object): object;
  }) => void;
  _load(name: string, ...others: readonly unknown[]): unknown;
}

/** The members of each entry, by the name that a file imports. */
type Library = Readonly<Record<string, object>>;

/** Where the generated modules find the library. They are texts, and the bundle has no file to import. */
const PLACE = Symbol.for('todo-item-service');
const placed = (name: string): string => `globalThis[Symbol.for('todo-item-service')]['${name}']`;
const REQUIRED = 'required:';

let offered = false;

/** From now on `import` and `require` of these names give this library, whose members are all there. */
export function offerLibrary(library: Library): void {
  if (offered) return;
  offered = true;
  Object.defineProperty(globalThis, PLACE, { value: library });
  // Loaded here: a service without plugin files starts without it.
  const loader = process.getBuiltinModule('node:module') as unknown as Loader;
  const imported = Object.fromEntries(
    Object.entries(library).map(([name, members]) => [name, moduleOf(name, members)]),
  );
  if (loader.registerHooks === undefined) {
    offerToImport(imported, loader);
    offerToRequire(library, loader);
    return;
  }
  loader.registerHooks({
    resolve(name, { conditions }, next) {
      if (!Object.hasOwn(library, name)) return next(name);
      const required = { url: REQUIRED + name, format: 'commonjs' };
      return { ...(conditions.includes('require') ? required : imported[name]), shortCircuit: true };
    },
    load(url, _context, next) {
      const name = url.slice(REQUIRED.length);
      if (!url.startsWith(REQUIRED) || !Object.hasOwn(library, name)) return next(url);
      return { format: 'commonjs', source: `module.exports = ${placed(name)};`, shortCircuit: true };
    },
  });
}

const moduleOf = (name: string, members: object): Found => ({
  url: dataUrl(`export const { ${Object.keys(members).join(', ')} } = ${placed(name)};`),
  format: 'module',
});

/** For Node 20, whose hooks run in a thread of their own and are not asked by `require`. */
function offerToImport(found: Readonly<Record<string, Found>>, loader: Loader): void {
  const hook = `const found = new Map(Object.entries(${JSON.stringify(found)}));
    export const resolve = (name, context, next) =>
      found.has(name) ? { ...found.get(name), shortCircuit: true } : next(name);`;
  try {
    loader.register(dataUrl(hook));
  } catch {
    // Where `--experimental-permission` allows no threads, a plugin that does not import the library still loads.
  }
}

/** For Node 20, which has no documented way. */
function offerToRequire(library: Library, loader: Loader): void {
  const load = loader._load;
  loader._load = function offer(name, ...others) {
    return Object.hasOwn(library, name) ? library[name] : Reflect.apply(load, this, [name, ...others]);
  };
}

const dataUrl = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;
