/**
 * Lets a route accept an upgrade, such as that to a WebSocket (RFC 9110 §7.8).
 *
 * The request passes the pipeline as any other request, so it is validated, guarded, counted and logged. Its route
 * accepts the upgrade with a reply of the status 101. The server does not write this reply: it passes the connection to
 * the handler, which answers in the new protocol. Any other reply is sent, and the connection is closed.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Context } from './context.ts';
import { ReadyReply } from './ready-reply.ts';
import type { Reply } from './reply.ts';

/** The connection of a request for an upgrade. */
export interface UpgradedConnection {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** The bytes that followed the request. */
  readonly head: Buffer;
}

const heads = new WeakMap<IncomingMessage, Buffer>();
const handlers = new WeakMap<Reply, () => unknown>();

/** Called by the server for a request whose connection it can pass on. */
export const noteUpgrade = (request: IncomingMessage, head: Buffer): unknown => heads.set(request, head);

/** Returns the connection if the request asks for an upgrade and the server can pass its connection on. */
export function upgradeOf({ request }: Context): UpgradedConnection | undefined {
  const head = heads.get(request);
  return head === undefined ? undefined : { request, socket: request.socket, head };
}

/** Returns the reply that accepts an upgrade. When it has passed the stages, `handle` gets the connection. */
export function acceptUpgrade(handle: () => unknown): Reply {
  const reply = new ReadyReply(101, []);
  handlers.set(reply, handle);
  return reply;
}

/** Returns the handler for a reply of `acceptUpgrade`. Only such a reply can have the status 101. */
export const upgradeHandler = (reply: Reply): (() => unknown) => handlers.get(reply)!;
