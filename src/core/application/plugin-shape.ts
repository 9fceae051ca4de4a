/**
 * Decides whether a value is a plugin. Plugins may come from JavaScript that no compiler has checked; a mistake is
 * reported when the application is composed, not by the first request.
 */
import { thrownMessage } from '../log/thrown-value.ts';
import { assertNamed, didYouMean } from '../options/assert-options.ts';
import { assertBasePath } from '../wire/listener-options.ts';

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
  if (typeof made['name'] !== 'string' || made['name'] === '')
    return 'its plugin has no name; give it one, "name": "…"';
  if (isControllerAlone(made)) return 'it is a controller; give { name, controllers: [controller] }';
  for (const [list, fits, remedy] of LISTS) {
    const entries = made[list];
    if (entries === undefined) continue;
    if (!Array.isArray(entries)) return `its "${list}" is not an array; make it one`;
    const wrong = entries.findIndex((entry) => !fits(entry));
    if (wrong >= 0)
      return `its "${list}[${wrong}]" is not what it should be; ${operationFault(list, entries[wrong]) ?? remedy}`;
  }
  const hook = ['start', 'stop'].find((name) => made[name] !== undefined && typeof made[name] !== 'function');
  if (hook !== undefined) return `its "${hook}" is not a function; make it one`;
  if (made['responses'] !== undefined && !isObjectOrFunction(made['responses']))
    return 'its "responses" is no object; give { 429: { description } }, or a function of an operation that returns it';
  return faultOfConstraints(made['constraints']) ?? faultOfControllers(made['controllers']) ?? misspelt(made);
}

/** A plugin may have a path of its own; a controller has nothing that a plugin has. */
const isControllerAlone = (made: Members): boolean =>
  Array.isArray(made['operations']) ||
  (isText(made['path']) && !Object.keys(KINDS).some((name) => name !== 'name' && Object.hasOwn(made, name)));

/** Which operation of the controller it is, and the first member that is wrong. */
function operationFault(list: string, controller: unknown): string | undefined {
  const operations = list === 'controllers' && isObject(controller) ? controller['operations'] : undefined;
  if (!Array.isArray(operations)) return undefined;
  const at = operations.findIndex((one) => !isOperation(one));
  const operation: unknown = operations[at];
  if (!isObject(operation)) return at < 0 ? undefined : `its operations[${at}] is no object; give operation({ … })`;
  const member = Object.keys(OPERATION).find((name) => !OPERATION[name]!(operation[name]))!;
  const misspelt = Object.keys(operation).find((name) => !(name in OPERATION) && didYouMean(name, [member]) === member);
  const wrong = member in operation ? `has a wrong "${member}"` : `has no "${member}"`;
  const hint = misspelt === undefined ? '' : `; did you mean "${member}" with "${misspelt}"?`;
  const texts = ['method', 'path'].map((name) => operation[name]).filter(isText);
  return `its operations[${at}], "${texts.join(' ')}", ${wrong}${hint || '; give { method, path, responses, handle }'}`;
}

/** A misspelt `security` would leave the operations open. */
function faultOfControllers(controllers: unknown): string | undefined {
  for (const [at, controller] of ((controllers ?? []) as readonly object[]).entries()) {
    const fault = misspeltAmong(controller, ['name', 'path', 'operations', 'security', 'stages', 'responses']);
    if (fault !== undefined) return `its "controllers[${at}]" has a mistake: ${fault}`;
  }
  return undefined;
}

const OPTIONS = [
  ...['naming', 'verify', 'security', 'authenticators', 'basePath', 'trustedProxies', 'forwardedHeaders'],
  ...['allowedHosts', 'unanswered', 'problems', 'log', 'newRequestId', 'warn', 'instrument'],
];

function misspeltAmong(made: object, known: readonly string[]): string | undefined {
  const member = Object.keys(made).find((name) => !known.includes(name) && didYouMean(name, known) !== undefined);
  return member && `"${member}" means nothing; did you mean "${didYouMean(member, known)}"?`;
}

/** A plugin may have members of its own. One with nearly a known name, and a value that fits there, is a mistake. */
function misspelt(made: Members): string | undefined {
  const known = Object.keys(KINDS);
  for (const member of Object.keys(made)) {
    if (known.includes(member)) continue;
    const meant = didYouMean(member, known);
    if (meant !== undefined && KINDS[meant]!(made[member]))
      return `its "${member}" means nothing; did you mean "${meant}"?`;
  }
  return undefined;
}

type Members = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;
const isFunction = (value: unknown): boolean => typeof value === 'function';
const isText = (value: unknown): boolean => typeof value === 'string';

/** The check for an object with these members, each as its own check demands. */
function objectOf(members: Readonly<Record<string, Check>>): Check {
  return (value) => isObject(value) && Object.entries(members).every(([name, fits]) => fits(value[name]));
}

const OPERATION: Readonly<Record<string, Check>> = {
  method: isText,
  path: isText,
  responses: isObject,
  handle: isFunction,
};
const isOperation = objectOf(OPERATION);
const areOperations: Check = (value) => Array.isArray(value) && value.every(isOperation);
const isController = objectOf({ name: isText, path: isText, operations: areOperations });
const isRoute = objectOf({ template: objectOf({ text: isText, segments: Array.isArray }), handle: isFunction });
const isAuthenticator = objectOf({ scheme: isObject, challenge: isFunction, authenticate: isFunction });
const isPairOfNumbers: Check = (value) =>
  Array.isArray(value) && value.length === 2 && value.every((count) => typeof count === 'number');
const isFactory = objectOf({ takes: isPairOfNumbers, make: isFunction });
const isConstraint: Check = (value) => isFunction(value) || isFactory(value);

const isObjectOrFunction = (value: unknown): boolean => isObject(value) || isFunction(value);
/** The members of a plugin, each with the values that it can have, or with a wrong one that means it. */
const KINDS: Readonly<Record<string, Check>> = {
  name: isText,
  outerStages: isObjectOrFunction,
  stages: isObjectOrFunction,
  controllers: isObjectOrFunction,
  routes: isObjectOrFunction,
  constraints: isObject,
  authenticators: isObjectOrFunction,
  responses: isObjectOrFunction,
  start: isFunction,
  stop: isFunction,
};

const STAGE = 'give a function (context, next) => reply';
const LISTS: readonly (readonly [list: string, fits: Check, remedy: string])[] = [
  ['stages', isFunction, STAGE],
  ['outerStages', isFunction, STAGE],
  ['controllers', isController, 'give { name, path, operations }, each operation { method, path, responses, handle }'],
  ['authenticators', isAuthenticator, 'give bearerTokens(…) or apiKeys(…), or { scheme, challenge, authenticate }'],
  ['routes', isRoute, 'give route({ path, handle })'],
];

function faultOfConstraints(constraints: unknown): string | undefined {
  if (constraints === undefined) return undefined;
  if (!isObject(constraints) || Array.isArray(constraints))
    return 'its "constraints" is no object; give { name: (value) => boolean }';
  const wrong = Object.keys(constraints).find((name) => !isConstraint(constraints[name]));
  if (wrong === undefined) return undefined;
  return `its constraint "${wrong}" is not what it should be; give (value) => boolean, or { takes: [least, most], make }`;
}
