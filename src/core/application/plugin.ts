/** Declares the type of a plugin, and checks plugins and their parts. All parts of this service are plugins. */
import { isBasePath } from '../http/normal-path.ts';
import { isObject, thrownMessage } from '../log/thrown-value.ts';
import { didYouMean } from '../options/did-you-mean.ts';
import {
  each,
  FUNCTION,
  isFunction,
  isRecord,
  isText,
  type Kind,
  membersFault,
  type Shape,
  TEXT,
} from '../options/shape.ts';
import type { Pipeline } from '../pipeline/stage.ts';
import type { IncompleteRoute, OfferedValue } from '../routing/composition.ts';
import type { ConstraintFactory, ConstraintPredicate } from '../routing/constraints/constraint.ts';
import type { Route } from '../routing/route.ts';
import type { RouteCollection } from '../routing/route-collection.ts';
import type { Refusal } from '../server/served.ts';
import type { Forwarding } from '../server/trusted-proxy.ts';
import type { Instrument } from './application-options.ts';

/**
 * A plugin of an application. Every member but the name is optional. Several applications, and several mounts in one
 * application, may have the same plugin: `parts` returns what belongs to only one of them.
 */
export interface Plugin extends PluginParts {
  /** Names the plugin in error messages. Unique in an application. */
  readonly name: string;
  /**
   * The paths of the routes begin with this path, such as `/tools`, and the stages see only requests below it.
   * Percent-encoded. `mounted` sets it.
   */
  readonly prefix?: string | undefined;
  /** Constraints by name, for the templates of all plugins. A constraint without arguments is a predicate. */
  readonly constraints?: Readonly<Record<string, ConstraintFactory | ConstraintPredicate>> | undefined;
  /**
   * Returns further parts, which come after the other members of the plugin. Called once for each composition, and for
   * each mount in it, so variables inside of the function belong to one application. An error ends the composition.
   */
  readonly parts?: ((application: Application) => PluginParts) | undefined;
}

/** The parts that a plugin adds to an application. */
export interface PluginParts {
  /** Stages around all other stages. They also see problems, and the replies to requests that failed the validation. */
  readonly outerStages?: Pipeline | undefined;
  /** Stages before the routes, in the order of the plugins and of this list. */
  readonly stages?: Pipeline | undefined;
  /** Routes in the order in which they are tried. The application completes incomplete routes. */
  readonly routes?: readonly (Route | IncompleteRoute)[] | undefined;
  /** Values that the routes of all plugins can read, each under a key. `offer` creates the key. */
  readonly offers?: readonly OfferedValue[] | undefined;
  /** Wraps stages, routes and handlers of all plugins. The instrument of the application wraps the results. */
  readonly instrument?: Instrument | undefined;
  /**
   * Called once, after the routes of all plugins are added. Call `warn` with a line about a declaration that is allowed
   * but probably a mistake. An error ends the composition.
   */
  readonly composed?: ((routes: RouteCollection, warn: (line: string) => void) => void) | undefined;
  /**
   * Called for each request that is refused before any stage sees it, because it is malformed or there are too many
   * connections, and for each request that a limit of the whole service refuses with 503. An error is logged.
   */
  readonly refused?: ((refusal: Refusal) => void) | undefined;
  /** Called before the service listens, in the order of the plugins. A rejection ends the start. */
  readonly start?: (() => void | Promise<void>) | undefined;
  /** Called after the last request is answered, in reverse order. `serve` waits a limited time for the promise. */
  readonly stop?: (() => void | Promise<void>) | undefined;
}

/** The input of `parts`: the application that is composed. */
export interface Application {
  /** The routes, in the order in which they are tried. They are added after all plugins have returned their parts. */
  readonly routes: RouteCollection;
  /** The prefix of a mounted plugin, such as `/tools`; otherwise undefined. Its stages see paths without the prefix. */
  readonly prefix?: string | undefined;
  /** The path in front of all other paths; undefined if the application has no base path. */
  readonly basePath: string | undefined;
  /** Finds the client of a request behind the trusted proxies of the application. */
  readonly forwarding: Forwarding;
  /**
   * Aborted when the application begins to stop: after the `drainDelay`, before its connections close. An application
   * that starts again has another signal, so read the member when you need it.
   */
  readonly stopping: AbortSignal;
}

/**
 * The error for a plugin that cannot be part of an application, because its file, shape, name or routes are invalid, and
 * for a plugin whose start fails.
 */
export class PluginError extends Error {
  /** The name of the plugin, or of its file if the plugin has no name. */
  readonly plugin: string;
  /** The cause and the remedy, on one line. */
  readonly reason: string;

  constructor(failure: string, plugin: string, reason: string, options?: ErrorOptions) {
    const line = reason.replace(/\s*[\r\n]\s*/g, ' ');
    super(`${failure} "${plugin}": ${line}`, options);
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

const PARTS: Shape<PluginParts> = {
  ...each(['a list', Array.isArray, ['a function (context, next) => reply', isFunction]], 'stages', 'outerStages'),
  routes: ['a list', Array.isArray, ['route({ path, handle }), operation({ … }), or a list as ...routes', isRoute]],
  offers: ['a list', Array.isArray, ['an offer such as key.of(value)', isOffer]],
  ...each(FUNCTION, 'composed', 'start', 'stop', 'refused'),
  instrument: ['{ stage, route, handler }', isRecord],
};
const MEMBERS: Shape<Plugin> = {
  name: TEXT,
  prefix: ['a path such as "/tools", percent-encoded, or mounted(…)', (value) => isText(value) && isBasePath(value)],
  ...PARTS,
  constraints: ['an object', isRecord, ['(value) => boolean, or { takes: [least, most], make }', isConstraint]],
  parts: FUNCTION,
};
const OF_THE_PLUGIN: Kind = ['it to the plugin itself', () => false];

/** Copies the members of a plugin. A spread has no members of a class, and a method needs its own plugin as `this`. */
export function membersOf<Parts extends PluginParts>(plugin: Parts): Parts {
  const members = Object.keys(MEMBERS).map((member) => [member, plugin[member as keyof Parts] as unknown] as const);
  const bound = members.map(([member, value]) => [member, typeof value === 'function' ? value.bind(plugin) : value]);
  return { ...plugin, ...Object.fromEntries(bound) };
}

/**
 * Throws a `TypeError` for a value that is not a list, and a `PluginError` for an entry that is not a plugin or repeats
 * a name. No compiler checks a plugin in JavaScript, so this check finds its mistakes before the first request.
 */
export function assertPlugins(plugins: readonly unknown[]): void {
  if (!Array.isArray(plugins))
    throw new TypeError(`Cannot compose "${String(plugins)}": it is not a list of plugins; give [plugin, …]`);
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

/** Returns the mistake in a plugin and the remedy; undefined for a valid plugin. */
export function pluginFault(plugin: unknown): string | undefined {
  if (isFunction(plugin)) return 'it is a function, not a plugin; call it, or give { name, … }';
  if (!isObject(plugin))
    return `it is ${plugin === null ? 'null' : `of type ${typeof plugin}`}, not a plugin; give { name, … }`;
  if (isRoute(plugin)) return 'it is a route, not a plugin; give { name, routes: [it] }';
  if (!isText(plugin['name']) || plugin['name'] === '') return 'its plugin has no name; give it one, "name": "…"';
  return membersFault(plugin, MEMBERS) ?? misspelt(plugin);
}

/**
 * Returns the plugins, each followed by the result of its `parts` as a plugin with the same name and prefix.
 * `applicationAt` returns the input of `parts` for a prefix. Throws a `PluginError` if `parts` throws or returns another
 * value, and for a mounted plugin with an instrument.
 */
export function withParts(
  plugins: readonly Plugin[],
  applicationAt: (prefix: string | undefined) => Application,
): readonly Plugin[] {
  const added = plugins.flatMap((plugin): readonly Plugin[] => {
    const { name, prefix, parts } = plugin;
    return parts === undefined ? [plugin] : [plugin, { ...partsOf(plugin, applicationAt(prefix)), name, prefix }];
  });
  for (const { name, prefix, instrument } of added)
    if (prefix !== undefined && instrument !== undefined) {
      const reason = 'its instrument wraps the whole application; add the plugin to application([…]) itself';
      throw new PluginError('Cannot mount the plugin', name, reason);
    }
  return added;
}

function partsOf(plugin: Plugin, application: Application): PluginParts {
  let parts: unknown;
  try {
    parts = plugin.parts!(application);
  } catch (error) {
    throw new PluginError('Cannot add the plugin', plugin.name, thrownMessage(error), { cause: error });
  }
  const fault = partsFault(parts);
  if (fault !== undefined) throw new PluginError('Cannot add the plugin', plugin.name, fault);
  return membersOf(parts as PluginParts);
}

function partsFault(parts: unknown): string | undefined {
  if (!isRecord(parts) || isRoute(parts) || isFunction(parts['then']))
    return 'its "parts" has not returned parts; return an object such as { stages: [stage] }, and not as a promise';
  const shape = { ...PARTS, ...each(OF_THE_PLUGIN, 'prefix', 'constraints', 'parts') };
  const fault = membersFault(parts, shape) ?? misspelt(parts);
  return fault && `of what its "parts" has returned, ${fault}`;
}

/** A plugin may have further members. A member with almost a known name and a suitable value is a mistake. */
function misspelt(plugin: object): string | undefined {
  // Without this error, the plugin would be public.
  if ('security' in plugin && Array.isArray(plugin.security))
    return 'it has the member "security"; give it to its operations, a controller or operations({ security })';
  for (const [member, value] of Object.entries(plugin)) {
    const meant = value === undefined || member in MEMBERS ? undefined : didYouMean(member, Object.keys(MEMBERS));
    if (meant !== undefined && [value, [value]].some((item) => membersFault({ [meant]: item }, MEMBERS) === undefined))
      return `its member "${member}" is unknown; did you mean "${meant}"?`;
  }
  return undefined;
}
