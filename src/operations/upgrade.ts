/** Declares the upgrades of a plugin to another protocol, such as WebSockets, as routes with security. */
import type { Duplex } from 'node:stream';
import type { Context } from '../core/http/context.ts';
import { HttpProblem } from '../core/http/problem.ts';
import { acceptUpgrade, type UpgradedConnection, upgrades } from '../core/http/upgrade.ts';
import { assertOptions } from '../core/options/assert-options.ts';
import { declaredStages, type Pipeline } from '../core/pipeline/stage.ts';
import type { IncompleteRoute } from '../core/routing/composition.ts';
import { parseTemplate, type ValuesOf } from '../core/routing/template.ts';
import { optionsOf } from './routes/operation-routes.ts';
import { authenticatorsOf, securityCheck } from './routes/security-check.ts';
import { caller, type DeclaredRoles, type IdentityOf, type Security } from './security.ts';

/** The input of the handler of an upgrade. */
export interface UpgradeInput<Values = object, Identity = unknown> extends UpgradedConnection {
  readonly context: Context;
  /** The texts of the route values. */
  readonly values: Values;
  /** The identity of the caller, if the upgrade has security. */
  readonly identity: Identity;
  /** Aborted when the application begins to stop. End the connection then, as with the code 1001 of a WebSocket. */
  readonly signal: AbortSignal;
}

interface UpgradeDeclaration<Path extends string, Requirements extends Security | undefined> {
  /** The route template. */
  readonly path: Path;
  /** The schemes and roles that allow a caller. Default: the security of `operations(…)`. */
  readonly security?: Requirements | undefined;
  /** True if everybody may connect, even if `operations(…)` has security. Must not be combined with `security`. */
  readonly public?: boolean | undefined;
  /** Stages that run after the security is checked. */
  readonly stages?: Pipeline | undefined;
  /**
   * Answers in the new protocol, beginning with the response 101. Errors of the socket are ignored unless the handler
   * listens for them. If the handler fails, the error is logged and the connection is closed.
   */
  handle(input: UpgradeInput<ValuesOf<Path>, IdentityOf<Requirements>>): unknown;
}

/**
 * Returns a route for requests that ask for another protocol. They are matched, guarded, counted and logged as other
 * requests, and then the handler gets the connection. A request for this path without `Upgrade` gets a 400. The routes
 * of other paths ignore `Upgrade`.
 *
 *     const echo = upgrade({
 *       path: 'rooms/{id}/echo',
 *       handle({ socket, head, signal }) {
 *         socket.write('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: echo\\r\\n\\r\\n');
 *         socket.write(head);
 *         socket.pipe(socket);
 *         signal.addEventListener('abort', () => socket.end(), { once: true });
 *       },
 *     });
 *
 * The composition throws the errors of an operation with this path and security. A `listener(…)` that a framework has
 * mounted gets no upgrades.
 */
export function upgrade<const Path extends string, const Requirements extends Security | undefined = undefined>(
  declaration: UpgradeDeclaration<Path, Requirements> & DeclaredRoles<Requirements>,
): IncompleteRoute {
  const { path, handle } = declaration;
  // A misspelt "security" would let everybody connect.
  const options: UpgradeDeclaration<Path, Requirements> = declaration;
  assertOptions(`declare the upgrade "${path}"`, options, ['path', 'security', 'public', 'stages', 'handle']);
  if (declaration.public === true && declaration.security !== undefined)
    throw new TypeError(`Cannot declare the upgrade "${path}": it is public and has security; leave one of them out`);
  if (typeof handle !== 'function')
    throw new TypeError(`Cannot declare the upgrade "${path}": its "handle" is not a function; give (input) => …`);
  return {
    template: parseTemplate(path),
    complete({ template, offered }) {
      const id = `upgrade of ${template.text}`;
      const security = declaration.public === true ? [] : (declaration.security ?? optionsOf(offered).security ?? []);
      const guard = securityCheck({ security, id }, authenticatorsOf(offered));
      const stages = declaredStages(declaration.stages, `the upgrade "${path}"`) ?? [];
      return {
        template,
        method: 'GET',
        stages: guard === undefined ? stages : [guard, ...stages],
        dataTokens: { upgrade: true, security },
        handle({ context, values }) {
          const connection = upgrades.get(context.request);
          if (connection === undefined) throw new HttpProblem(400, NO_CONNECTION);
          const identity = caller.find(context)?.identity as IdentityOf<Requirements>;
          const input = { ...connection, context, identity, values: values as ValuesOf<Path> };
          return acceptUpgrade(() => handle({ ...input, signal: signalOf(connection.socket, context.stopping) }));
        },
      };
    },
  };
}

const NO_CONNECTION =
  'This path needs a request with Upgrade, by HTTP/1.1, without a body, and after the replies to all earlier requests';

/** Returns a signal for this connection. The signal of the application would hold its listeners after the connection. */
function signalOf(socket: Duplex, stopping: AbortSignal): AbortSignal {
  const over = new AbortController();
  const stop = (): void => over.abort(stopping.reason);
  stopping.addEventListener('abort', stop, { once: true });
  socket.once('close', () => stopping.removeEventListener('abort', stop));
  return over.signal;
}
