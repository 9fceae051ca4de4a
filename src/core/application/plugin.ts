/**
 * Declares what a plugin is: the value that an embedding user adds to an application. The service itself is made of
 * plugins. The items, the description, the page and the static files get nothing that another plugin does not get.
 */
import { isObject, thrownMessage } from '../log/thrown-value.ts';
import type { AddedResponses, Controller } from '../operations/operation/controller.ts';
import type { ProblemFormats } from '../operations/operation/problem-format.ts';
import type { PropertyNaming } from '../operations/schema/names.ts';
import type { Authenticator } from '../operations/security.ts';
import { didYouMean } from '../options/assert-options.ts';
import type { Pipeline } from '../pipeline/stage.ts';
import type { ConstraintFactory, ConstraintPredicate } from '../routing/constraints/constraint.ts';
import type { Route } from '../routing/route.ts';
import type { RouteCollection } from '../routing/route-collection.ts';
import type { Refusal } from '../wire/connection/exchange.ts';
import type { Forwarding } from '../wire/trusted-proxy.ts';
import type { Instrument } from './instrument.ts';

/** One part of an application. Every member but the name is optional. */
export interface Plugin {
  /** Names the plugin in error messages. Unique in an application. */
  readonly name: string;
  /** The path below which its stages see requests, as `/tools`; `mounted` sets it. */
  readonly prefix?: string | undefined;
  /** Stages around all others. They also see problems, and the replies to requests that failed validation. */
  readonly outerStages?: Pipeline | undefined;
  /** Stages before the routes, in the order of the plugins and of this list. */
  readonly stages?: Pipeline | undefined;
  /** Controllers, each a list of described operations. */
  readonly controllers?: readonly Controller[] | undefined;
  /** Routes without an operation, which are not described. They come after those of the controllers. */
  readonly routes?: readonly Route[] | undefined;
  /** Constraints by name, for the templates of all plugins. One without arguments is a predicate. */
  readonly constraints?: Readonly<Record<string, ConstraintFactory | ConstraintPredicate>> | undefined;
  /** Check the credentials that operations of all plugins require. */
  readonly authenticators?: readonly Authenticator[] | undefined;
  /** What the stages answer in the place of operations, of all or of each: texts and headers by status (D79). */
  readonly responses?: AddedResponses | undefined;
  /** Is put around stages and routes of all plugins as they are composed, inside of that of the application. */
  readonly instrument?: Instrument | undefined;
  /**
   * Is called with each request that is refused before any stage sees it, by the parser or for too many connections,
   * and with each that a limit of the whole service refuses with 503. An error that it throws is logged.
   */
  readonly refused?: ((refusal: Refusal) => void) | undefined;
  /** Is called before the service listens, in the order of the plugins. A rejection ends the start. */
  readonly start?: ((application: Application) => void | Promise<void>) | undefined;
  /** Is called after the last request is answered, in reverse order. A program ends without waiting for ever for it. */
  readonly stop?: (() => void | Promise<void>) | undefined;
}

/** What `start` receives. */
export interface Application {
  /** Every route, in the order in which they are tried. */
  readonly routes: RouteCollection;
  /** Where the plugin is mounted: `/tools`, which the paths of its stages lack. Absent for one that is not. */
  readonly prefix?: string | undefined;
  /** The path in front of all others; undefined for none. */
  readonly basePath: string | undefined;
  /** Who the client of a request is, behind the trusted proxies of the application. */
  readonly forwarding: Forwarding;
  /** The names of properties in JSON. */
  readonly naming: PropertyNaming;
  /** How problems are written; undefined for RFC 9457. */
  readonly problems: ProblemFormats | undefined;
  /** Aborted when the application begins to stop: after the `drainDelay`, before its connections close. */
  readonly stopping: AbortSignal;
}

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

const isFunction: Check = (value) => typeof value === 'function';
const isText: Check = (value) => typeof value === 'string';
const isObjectOrFunction: Check = (value) => isObject(value) || isFunction(value);
const isPairOfNumbers: Check = (value) =>
  Array.isArray(value) && value.length === 2 && value.every((count) => typeof count === 'number');

/** The check for an object with these members, each as its own check demands. */
const objectOf =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(members).every(([name, fits]) => fits(value[name]));

const OPERATION: Readonly<Record<string, Check>> = {
  ...{ method: isText, path: isText, responses: isObject, handle: isFunction },
};
const isOperation = objectOf(OPERATION);
const areOperations: Check = (value) => Array.isArray(value) && value.every(isOperation);
const isConstraintFactory = objectOf({ takes: isPairOfNumbers, make: isFunction });

/** A member of a plugin. Of a list each entry is checked; `fits` alone tells what a misspelt member is meant to be. */
type Member = readonly [fits: Check, remedy: string, entry?: Check];

const HOOK: Member = [isFunction, 'is not a function; make it one'];
const STAGES: Member = [isObjectOrFunction, 'give a function (context, next) => reply', isFunction];
const MEMBERS: Readonly<Record<string, Member>> = {
  name: [isText, 'is no text; make it one'],
  prefix: [isText, 'is no text; give "/tools", or mounted(…)'],
  stages: STAGES,
  outerStages: STAGES,
  controllers: [
    isObjectOrFunction,
    'give { name, path, operations }, each operation { method, path, responses, handle }',
    objectOf({ name: isText, path: isText, operations: areOperations }),
  ],
  authenticators: [
    isObjectOrFunction,
    'give bearerTokens(…) or apiKeys(…), or { scheme, challenge, authenticate }',
    objectOf({ scheme: isObject, challenge: isFunction, authenticate: isFunction }),
  ],
  routes: [
    isObjectOrFunction,
    'give route({ path, handle })',
    objectOf({ template: objectOf({ text: isText, segments: Array.isArray }), handle: isFunction }),
  ],
  start: HOOK,
  stop: HOOK,
  refused: HOOK,
  instrument: [isObject, 'is not an object; give { stage, route }'],
  responses: [
    isObjectOrFunction,
    'is no object; give { 429: { description } }, or a function of an operation that returns it',
  ],
  constraints: [(value) => isObject(value) && !Array.isArray(value), 'is no object; give { name: (value) => boolean }'],
};
const CONTROLLER = ['name', 'description', 'path', 'operations', 'security', 'stages', 'responses'];

/**
 * Throws a `TypeError` for what is no list, and a `PluginError` for an entry that is no plugin or repeats a name. They
 * may come from JavaScript: a mistake is told now, not by the first request.
 */
export function assertPlugins(plugins: readonly unknown[]): void {
  if (!Array.isArray(plugins))
    throw new TypeError(`Cannot compose "${String(plugins)}": it is no list of plugins; give [plugin, …]`);
  const names = new Set<unknown>();
  for (const [at, plugin] of plugins.entries()) {
    let named = `number ${at + 1} of the list`;
    let fault: string | undefined;
    try {
      const { name } = (plugin ?? {}) as { readonly name?: unknown };
      if (typeof name === 'string' && name !== '') named = name;
      fault = faultOf(plugin);
      if (names.has(name))
        fault ??= `two plugins are named "${name}"; leave one out, or rename it: { ...plugin, name: '…' }`;
      names.add(name);
    } catch (error) {
      const reason = `one of its members fails when it is read, with "${thrownMessage(error)}"; give it a value`;
      throw new PluginError('Cannot add the plugin', named, reason, { cause: error });
    }
    if (fault !== undefined) throw new PluginError('Cannot add the plugin', named, fault);
  }
}

/** What is wrong with a plugin and what to do about it; undefined for a valid one. */
export function faultOf(made: unknown): string | undefined {
  if (!isObject(made)) return `it is ${made === null ? 'null' : `of type ${typeof made}`}, no plugin; give { name, … }`;
  if (!isText(made['name']) || made['name'] === '') return 'its plugin has no name; give it one, "name": "…"';
  if (isControllerAlone(made)) return 'it is a controller; give { name, controllers: [controller] }';
  for (const [name, [fits, remedy, entry]] of Object.entries(MEMBERS)) {
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
    const isTold = isText(controller['description'] ?? '');
    const fault = isTold ? misspelt(controller, CONTROLLER, () => true) : 'its description is no text; make it one';
    if (fault !== undefined) return `its "controllers[${at}]" has a mistake: ${fault}`;
  }
  // A plugin may have members of its own. One with nearly a known name, and a value that fits there, is a mistake.
  const fault = misspelt(made, Object.keys(MEMBERS), (meant, value) => MEMBERS[meant]![0](value));
  return fault && `its ${fault}`;
}

/** A plugin may have a path of its own; a controller has nothing that a plugin has. */
const isControllerAlone = (made: Members): boolean =>
  Array.isArray(made['operations']) ||
  (isText(made['path']) && !Object.keys(MEMBERS).some((name) => name !== 'name' && made[name] !== undefined));

/** Which operation of the controller it is, and the first member that is wrong. */
function operationFault(list: string, controller: unknown): string | undefined {
  const operations = list === 'controllers' && isObject(controller) ? controller['operations'] : undefined;
  if (!Array.isArray(operations) || areOperations(operations)) return undefined;
  const at = operations.findIndex((one) => !isOperation(one));
  const operation: unknown = operations[at];
  if (!isObject(operation)) return `its operations[${at}] is no object; give operation({ … })`;
  const member = Object.keys(OPERATION).find((name) => !OPERATION[name]!(operation[name]))!;
  const typed = Object.keys(operation).find((name) => !(name in OPERATION) && didYouMean(name, [member]) === member);
  const wrong = member in operation ? `has a wrong "${member}"` : `has no "${member}"`;
  const remedy = typed ? `did you mean "${member}" with "${typed}"?` : 'give { method, path, responses, handle }';
  const texts = ['method', 'path'].map((name) => operation[name]).filter(isText);
  return `its operations[${at}], "${texts.join(' ')}", ${wrong}; ${remedy}`;
}

/** The first member with nearly a known name, whose value fits there. */
function misspelt(made: Members, known: readonly string[], fits: (meant: string, value: unknown) => boolean) {
  for (const [member, value] of Object.entries(made)) {
    const meant = value === undefined || known.includes(member) ? undefined : didYouMean(member, known);
    if (meant !== undefined && fits(meant, value)) return `"${member}" means nothing; did you mean "${meant}"?`;
  }
  return undefined;
}
