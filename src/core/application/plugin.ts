/**
 * Declares what a plugin is: the value that an embedding user adds to an application. The service itself is made of
 * plugins, and each of them gets what any other plugin gets.
 */
import { isObject, thrownMessage } from '../log/thrown-value.ts';
import { isBasePath } from '../message/normal-path.ts';
import { didYouMean } from '../options/did-you-mean.ts';
import { each, FUNCTION, isFunction, isRecord, isText, membersFault, type Shape, TEXT } from '../options/shape.ts';
import type { Pipeline } from '../pipeline/stage.ts';
import type { IncompleteRoute, OfferedValue } from '../routing/composition.ts';
import type { ConstraintFactory, ConstraintPredicate } from '../routing/constraints/constraint.ts';
import type { Route } from '../routing/route.ts';
import type { RouteCollection } from '../routing/route-collection.ts';
import type { Refusal } from '../wire/served.ts';
import type { Forwarding } from '../wire/trusted-proxy.ts';
import type { Instrument } from './application-options.ts';

/** One part of an application. Every member but the name is optional. */
export interface Plugin {
  /** Names the plugin in error messages. Unique in an application. */
  readonly name: string;
  /** The path below which its stages see requests, as `/tools`, percent-encoded; `mounted` sets it. */
  readonly prefix?: string | undefined;
  /** Stages around all others. They also see problems, and the replies to requests that failed validation. */
  readonly outerStages?: Pipeline | undefined;
  /** Stages before the routes, in the order of the plugins and of this list. */
  readonly stages?: Pipeline | undefined;
  /** Routes in the order in which they are tried. The application completes an incomplete one. */
  readonly routes?: readonly (Route | IncompleteRoute)[] | undefined;
  /** Constraints by name, for the templates of all plugins. One without arguments is a predicate. */
  readonly constraints?: Readonly<Record<string, ConstraintFactory | ConstraintPredicate>> | undefined;
  /** Values for the routes of all plugins, each under the key on which they have agreed. */
  readonly offers?: readonly OfferedValue[] | undefined;
  /** Wraps stages and routes of all plugins. The instrument of the application is wrapped around this one. */
  readonly instrument?: Instrument | undefined;
  /**
   * Is called once, when the routes of all plugins are added. `warn` takes a line about a declaration that is allowed
   * but probably a mistake. An error ends the composition.
   */
  readonly composed?: ((routes: RouteCollection, warn: (line: string) => void) => void) | undefined;
  /**
   * Is called with each request that is refused before any stage sees it, by the parser or for too many connections,
   * and with each that a limit of the whole service refuses with 503. An error that it throws is logged.
   */
  readonly refused?: ((refusal: Refusal) => void) | undefined;
  /** Is called before the service listens, in the order of the plugins. A rejection ends the start. */
  readonly start?: ((application: Application) => void | Promise<void>) | undefined;
  /** Is called after the last request is answered, in the reverse order. `serve` waits for it for a limited time. */
  readonly stop?: (() => void | Promise<void>) | undefined;
}

/** What `start` receives. */
export interface Application {
  /** Every route, in the order in which they are tried. */
  readonly routes: RouteCollection;
  /** Where the plugin is mounted: `/tools`, which the paths of its stages lack. Absent if it is not mounted. */
  readonly prefix?: string | undefined;
  /** The path in front of all others; undefined for none. */
  readonly basePath: string | undefined;
  /** Who the client of a request is, behind the trusted proxies of the application. */
  readonly forwarding: Forwarding;
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

const isRoute = (value: unknown): boolean =>
  isObject(value) &&
  [value['handle'], value['complete']].some(isFunction) &&
  isObject(value['template']) &&
  isText(value['template']['text']) &&
  Array.isArray(value['template']['segments']);
const isConstraint = (value: unknown): boolean =>
  isFunction(value) ||
  (isObject(value) &&
    isFunction(value['make']) &&
    Array.isArray(value['takes']) &&
    value['takes'].length === 2 &&
    value['takes'].every((count) => typeof count === 'number'));
const isOffer = (value: unknown): boolean => isObject(value) && isText(value['offer']);

const MEMBERS: Shape<Plugin> = {
  name: TEXT,
  prefix: [
    'a path as links begin with, "/tools", percent-encoded, or mounted(…)',
    (value) => isText(value) && isBasePath(value),
  ],
  ...each(['a list', Array.isArray, ['a function (context, next) => reply', isFunction]], 'stages', 'outerStages'),
  routes: [
    'a list',
    Array.isArray,
    ['route({ path, handle }), operation({ … }), or each of a list as ...routes', isRoute],
  ],
  offers: ['a list', Array.isArray, ['an offer such as key.of(value)', isOffer]],
  ...each(FUNCTION, 'composed', 'start', 'stop', 'refused'),
  instrument: ['{ stage, route }', isRecord],
  constraints: ['an object', isRecord, ['(value) => boolean, or { takes: [least, most], make }', isConstraint]],
};
/** Members of earlier versions, whose values would be lost without a word. */
const REMOVED = ['controllers', 'operations', 'authenticators', 'responses'];

/**
 * Throws a `TypeError` for a value that is not a list, and a `PluginError` for an entry that is not a plugin or repeats
 * a name. Plugins may come from JavaScript, and no mistake waits for the first request.
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
      fault = pluginFault(plugin);
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
export function pluginFault(made: unknown): string | undefined {
  if (isFunction(made)) return 'it is a function, not a plugin; call it, or give { name, … }';
  if (!isObject(made)) return `it is ${made === null ? 'null' : `of type ${typeof made}`}, no plugin; give { name, … }`;
  if (isRoute(made)) return 'it is a route, not a plugin; give { name, routes: [it] }';
  if (!isText(made['name']) || made['name'] === '') return 'its plugin has no name; give it one, "name": "…"';
  const removed = REMOVED.find((name) => made[name] !== undefined);
  if (removed !== undefined) return `its "${removed}" means nothing; give its "routes", or a value of its "offers"`;
  const fault = membersFault(made, MEMBERS);
  if (fault !== undefined) return fault;
  // A plugin may have members of its own. One with nearly a known name, and a value that fits there, is a mistake.
  for (const [member, value] of Object.entries(made)) {
    const meant = value === undefined || member in MEMBERS ? undefined : didYouMean(member, Object.keys(MEMBERS));
    if (meant !== undefined && [value, [value]].some((one) => membersFault({ [meant]: one }, MEMBERS) === undefined))
      return `its "${member}" means nothing; did you mean "${meant}"?`;
  }
  return undefined;
}
