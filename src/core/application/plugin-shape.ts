/**
 * Decides whether a value is a plugin. Plugins may come from JavaScript that no compiler has checked; a mistake is
 * reported when the application is composed, not by the first request.
 */
import { thrownMessage } from '../log/thrown-value.ts';
import { assertNamed, didYouMean } from '../options/assert-options.ts';
import { assertBasePath } from '../wire/listener.ts';

/** Declares the error for a plugin that cannot be part of an application: its file, shape, name or routes are wrong. */
export class PluginError extends Error {
  /** The name of the plugin; the name of its file where the plugin has none. */
  readonly plugin: string;
  /** The cause and the remedy, on one line. */
  readonly reason: string;

  constructor(attempt: string, plugin: string, reason: string, options?: ErrorOptions) {
    const line = reason.replace(/\s*[\r\n]\s*/g, ' ');
    super(`${attempt} "${plugin}": ${line}`, options);
    this.name = 'PluginError';
    this.plugin = plugin;
    this.reason = line;
  }
}

type Members = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;
const isFunction = (value: unknown): boolean => typeof value === 'function';
const isText = (value: unknown): boolean => typeof value === 'string';
const isObjectOrFunction = (value: unknown): boolean => isObject(value) || isFunction(value);

/** The check for an object with these members, each as its own check demands. */
function objectOf(members: Readonly<Record<string, Check>>): Check {
  return (value) => isObject(value) && Object.entries(members).every(([name, fits]) => fits(value[name]));
}

const OPERATION: Readonly<Record<string, Check>> = {
  ...{ method: isText, path: isText, responses: isObject, handle: isFunction },
};
const isOperation = objectOf(OPERATION);
const areOperations: Check = (value) => Array.isArray(value) && value.every(isOperation);
const isPairOfNumbers: Check = (value) =>
  Array.isArray(value) && value.length === 2 && value.every((count) => typeof count === 'number');
const isConstraintFactory = objectOf({ takes: isPairOfNumbers, make: isFunction });

/** A member of a plugin. Of a list each entry is checked; `fits` alone tells what a misspelt member is meant to be. */
interface Member {
  readonly fits: Check;
  readonly remedy: string;
  readonly entry?: Check;
}

const list = (entry: Check, remedy: string): Member => ({ fits: isObjectOrFunction, remedy, entry });
const HOOK: Member = { fits: isFunction, remedy: 'is not a function; make it one' };
const STAGES = list(isFunction, 'give a function (context, next) => reply');
const MEMBERS: Readonly<Record<string, Member>> = {
  name: { fits: isText, remedy: 'is no text; make it one' },
  stages: STAGES,
  outerStages: STAGES,
  controllers: list(
    objectOf({ name: isText, path: isText, operations: areOperations }),
    'give { name, path, operations }, each operation { method, path, responses, handle }',
  ),
  authenticators: list(
    objectOf({ scheme: isObject, challenge: isFunction, authenticate: isFunction }),
    'give bearerTokens(…) or apiKeys(…), or { scheme, challenge, authenticate }',
  ),
  routes: list(
    objectOf({ template: objectOf({ text: isText, segments: Array.isArray }), handle: isFunction }),
    'give route({ path, handle })',
  ),
  start: HOOK,
  stop: HOOK,
  responses: {
    fits: isObjectOrFunction,
    remedy: 'is no object; give { 429: { description } }, or a function of an operation that returns it',
  },
  constraints: {
    fits: (value) => isObject(value) && !Array.isArray(value),
    remedy: 'is no object; give { name: (value) => boolean }',
  },
};
const CONTROLLER = ['name', 'path', 'operations', 'security', 'stages', 'responses'];
const OPTIONS = [
  ...['naming', 'verify', 'security', 'authenticators', 'basePath', 'trustedProxies', 'forwardedHeaders'],
  ...['allowedHosts', 'unanswered', 'problems', 'log', 'newRequestId', 'warn', 'instrument'],
];

/**
 * Throws a `TypeError` for what is no list and for an unknown option, and a `PluginError` for an entry that is no
 * plugin or repeats a name.
 */
export function assertPlugins(plugins: readonly unknown[], options: object): void {
  if (!Array.isArray(plugins)) {
    throw new TypeError(`Cannot compose "${String(plugins)}": it is no list of plugins; give [plugin, …]`);
  }
  assertNamed('compose an application', options, OPTIONS);
  const { unanswered, basePath = '' } = options as { readonly unanswered?: unknown; readonly basePath?: unknown };
  assertBasePath(basePath);
  if (unanswered !== undefined && typeof unanswered !== 'function')
    throw new TypeError('Cannot compose an application: its "unanswered" is no function; give (context) => reply');
  const names = new Set<unknown>();
  for (const [at, plugin] of plugins.entries()) {
    let text = `number ${at + 1} of the list`;
    let fault: string | undefined;
    try {
      const { name } = (plugin ?? {}) as { readonly name?: unknown };
      if (typeof name === 'string' && name !== '') text = name;
      fault = faultOf(plugin);
      if (names.has(name))
        fault ??= `two plugins are named "${name}"; leave one out, or rename it: { ...plugin, name: '…' }`;
      names.add(name);
    } catch (error) {
      const reason = `one of its members fails when it is read, with "${thrownMessage(error)}"; give it a value`;
      throw new PluginError('Cannot add the plugin', text, reason, { cause: error });
    }
    if (fault !== undefined) throw new PluginError('Cannot add the plugin', text, fault);
  }
}

/** What is wrong with a plugin and what to do about it; undefined for a valid one. */
export function faultOf(made: unknown): string | undefined {
  if (!isObject(made)) return `it is ${made === null ? 'null' : `of type ${typeof made}`}, no plugin; give { name, … }`;
  if (!isText(made['name']) || made['name'] === '') return 'its plugin has no name; give it one, "name": "…"';
  if (isControllerAlone(made)) return 'it is a controller; give { name, controllers: [controller] }';
  for (const [name, { fits, remedy, entry }] of Object.entries(MEMBERS)) {
    const value = made[name];
    if (value === undefined) continue;
    if (entry === undefined && !fits(value)) return `its "${name}" ${remedy}`;
    if (entry === undefined) continue;
    if (!Array.isArray(value)) return `its "${name}" is not an array; make it one`;
    const at = value.findIndex((one) => !entry(one));
    if (at >= 0) return `its "${name}[${at}]" is not what it should be; ${operationFault(name, value[at]) ?? remedy}`;
  }
  const { constraints = {}, controllers = [] } = made as Record<string, object>;
  for (const [name, one] of Object.entries(constraints))
    if (!isFunction(one) && !isConstraintFactory(one))
      return `its constraint "${name}" is not what it should be; give (value) => boolean, or { takes: [least, most], make }`;
  // A misspelt `security` would leave the operations open.
  for (const [at, controller] of (controllers as readonly Members[]).entries()) {
    const fault = misspelt(controller, CONTROLLER, () => true);
    if (fault !== undefined) return `its "controllers[${at}]" has a mistake: ${fault}`;
  }
  // A plugin may have members of its own. One with nearly a known name, and a value that fits there, is a mistake.
  const fault = misspelt(made, Object.keys(MEMBERS), (meant, value) => MEMBERS[meant]!.fits(value));
  return fault && `its ${fault}`;
}

/** A plugin may have a path of its own; a controller has nothing that a plugin has. */
const isControllerAlone = (made: Members): boolean =>
  Array.isArray(made['operations']) ||
  (isText(made['path']) && !Object.keys(MEMBERS).some((name) => name !== 'name' && Object.hasOwn(made, name)));

/** Which operation of the controller it is, and the first member that is wrong. */
function operationFault(list: string, controller: unknown): string | undefined {
  const operations = list === 'controllers' && isObject(controller) ? controller['operations'] : undefined;
  if (!Array.isArray(operations)) return undefined;
  const at = operations.findIndex((one) => !isOperation(one));
  const operation: unknown = operations[at];
  if (!isObject(operation)) return at < 0 ? undefined : `its operations[${at}] is no object; give operation({ … })`;
  const member = Object.keys(OPERATION).find((name) => !OPERATION[name]!(operation[name]))!;
  const typed = Object.keys(operation).find((name) => !(name in OPERATION) && didYouMean(name, [member]) === member);
  const wrong = member in operation ? `has a wrong "${member}"` : `has no "${member}"`;
  const remedy =
    typed === undefined ? 'give { method, path, responses, handle }' : `did you mean "${member}" with "${typed}"?`;
  const texts = ['method', 'path'].map((name) => operation[name]).filter(isText);
  return `its operations[${at}], "${texts.join(' ')}", ${wrong}; ${remedy}`;
}

/** The first member with nearly a known name, whose value fits there. */
function misspelt(made: Members, known: readonly string[], fits: (meant: string, value: unknown) => boolean) {
  for (const [member, value] of Object.entries(made)) {
    const meant = known.includes(member) ? undefined : didYouMean(member, known);
    if (meant !== undefined && fits(meant, value)) return `"${member}" means nothing; did you mean "${meant}"?`;
  }
  return undefined;
}
