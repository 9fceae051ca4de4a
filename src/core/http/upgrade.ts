/**
 * Lets a route accept an upgrade, such as that to a WebSocket (RFC 9110 §7.8).
 *
 * The request passes the pipeline as any other request, so it is validated, guarded, counted and logged. Its route
 * accepts the upgrade with a reply of the status 101. The server does not write this reply: it passes the connection to
 * the handler, which answers in the new protocol. Any other reply is sent, and the connection is closed.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { ReadyReply } from './ready-reply.ts';
import type { Reply } from './reply.ts';

/** The connection of a request for an upgrade. */
export interface UpgradedConnection {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** The bytes that followed the request. */
  readonly head: Buffer;
}

/** The connections that the server can pass on, by their requests. */
export const upgrades = new WeakMap<IncomingMessage, UpgradedConnection>();

/** The handlers of upgrades by their replies. Only these replies can have the status 101. */
export const upgradeHandlers = new WeakMap<Reply, () => unknown>();

/** Returns the reply that accepts an upgrade. When it has passed the stages, `handle` gets the connection. */
export function acceptUpgrade(handle: () => unknown): Reply {
  const reply = new ReadyReply(101, []);
  upgradeHandlers.set(reply, handle);
  return reply;
}
