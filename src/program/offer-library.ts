/**
 * Makes `todo-item-service` mean the running library in every file that is loaded from now on (D80).
 *
 * A plugin file stands anywhere, also where there is no `node_modules`. Where another copy is installed beside it, that
 * one may be of another version than the service. So the name is answered before any folder is searched.
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

const NAME = 'todo-item-service';
/** Where the generated modules find the library. They are texts, and the bundle has no file to import. */
const PLACE = Symbol.for(NAME);
const PLACED = `globalThis[Symbol.for('${NAME}')]`;

let offered = false;

/** From now on `import` and `require` of the name give this library, whose members are all there. */
export function offerLibrary(library: object): void {
  if (offered) return;
  offered = true;
  Object.defineProperty(globalThis, PLACE, { value: library });
  // Loaded here: a service without plugin files starts without it.
  const loader = process.getBuiltinModule('node:module') as unknown as Loader;
  const imported = {
    url: dataUrl(`export const { ${Object.keys(library).join(', ')} } = ${PLACED};`),
    format: 'module',
  };
  if (loader.registerHooks === undefined) {
    offerToImport(imported, loader);
    offerToRequire(library, loader);
    return;
  }
  const required = { url: `${NAME}:required`, format: 'commonjs' };
  loader.registerHooks({
    resolve(name, { conditions }, next) {
      if (name !== NAME) return next(name);
      return { ...(conditions.includes('require') ? required : imported), shortCircuit: true };
    },
    load(url, _context, next) {
      if (url !== required.url) return next(url);
      return { format: required.format, source: `module.exports = ${PLACED};`, shortCircuit: true };
    },
  });
}

/** For Node 20, whose hooks run in a thread of their own and are not asked by `require`. */
function offerToImport(found: Found, loader: Loader): void {
  const answer = JSON.stringify({ ...found, shortCircuit: true });
  const hook = `export const resolve = (name, context, next) => (name === '${NAME}' ? ${answer} : next(name));`;
  try {
    loader.register(dataUrl(hook));
  } catch {
    // Where `--experimental-permission` allows no threads, a plugin that does not import the library still loads.
  }
}

/** For Node 20, which has no documented way. */
function offerToRequire(library: object, loader: Loader): void {
  const load = loader._load;
  loader._load = function offer(name, ...others) {
    return name === NAME ? library : Reflect.apply(load, this, [name, ...others]);
  };
}

const dataUrl = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;
