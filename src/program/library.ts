/**
 * Makes `todo-item-service`, and what is below it, mean the running library in every file that is loaded from now on
 * (D80).
 *
 * A plugin file stands anywhere, also where there is no `node_modules`. Where another copy is installed beside it, that
 * one may be of another version than the service. So the names are answered before any folder is searched.
 */

/** Each public entry with its members, by the name that a plugin file imports. A service without plugins loads none. */
export const libraryEntries = async (): Promise<Library> => ({
  'todo-item-service': await import('../index.ts'),
  'todo-item-service/http': await import('../http.ts'),
  'todo-item-service/routing': await import('../routing.ts'),
  'todo-item-service/operations': await import('../operations.ts'),
  'todo-item-service/extending': await import('../extending.ts'),
  'todo-item-service/instrument': await import('../instrument.ts'),
  'todo-item-service/testing': await import('../testing.ts'),
  'todo-item-service/access-log': await import('../extensions/access-log/access-log.ts'),
  'todo-item-service/allowed-methods': await import('../extensions/allowed-methods/allowed-methods.ts'),
  'todo-item-service/authentication': await import('../extensions/authentication/authentication.ts'),
  'todo-item-service/collection': await import('../extensions/collection/collection.ts'),
  'todo-item-service/cors': await import('../extensions/cors/cors.ts'),
  'todo-item-service/description': await import('../extensions/description/description.ts'),
  'todo-item-service/events': await import('../extensions/events/events.ts'),
  'todo-item-service/files': await import('../extensions/files/files.ts'),
  'todo-item-service/health': await import('../extensions/health/health.ts'),
  'todo-item-service/metrics': await import('../extensions/metrics/metrics.ts'),
  'todo-item-service/rate-limit': await import('../extensions/rate-limit/rate-limit.ts'),
  'todo-item-service/redis': await import('../extensions/redis/redis-store.ts'),
  'todo-item-service/sqlite': await import('../extensions/sqlite/sqlite-store.ts'),
  'todo-item-service/swagger-page': await import('../extensions/swagger-page/swagger-page.ts'),
  'todo-item-service/todo': await import('../extensions/todo/todo.ts'),
  'todo-item-service/uploads': await import('../extensions/uploads/upload.ts'),
  'todo-item-service/verification': await import('../extensions/verification/verification.ts'),
});

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

let registered: Promise<void> | undefined;

/** From now on `import` and `require` of these names give this library, whose members are all there. */
export const registerLibrary = (): Promise<void> => (registered ??= register());

async function register(): Promise<void> {
  const library = await libraryEntries();
  Object.defineProperty(globalThis, PLACE, { value: library });
  // Loaded here: a service without plugin files starts without it.
  const loader = process.getBuiltinModule('node:module') as unknown as Loader;
  const imported = Object.fromEntries(
    Object.entries(library).map(([name, members]) => [name, moduleOf(name, members)]),
  );
  if (loader.registerHooks === undefined) {
    registerForImport(imported, loader);
    registerForRequire(library, loader);
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
function registerForImport(found: Readonly<Record<string, Found>>, loader: Loader): void {
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
function registerForRequire(library: Library, loader: Loader): void {
  const load = loader._load;
  loader._load = function loadLibrary(name, ...others) {
    return Object.hasOwn(library, name) ? library[name] : Reflect.apply(load, this, [name, ...others]);
  };
}

const dataUrl = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;
