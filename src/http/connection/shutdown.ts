/**
 * Stops a server without losing an answer.
 *
 * Node's `server.close()` cuts answers that were ended but are not yet flushed, cuts kept connections in the very moment a
 * client writes its next request to them, and never ends while a client is connected that sends nothing. Here listening
 * stops at once, every reply from then on is the last of its connection, and a connection is closed when it has been idle
 * for a moment: time for a request that was already on its way.
 */
import { Server as HttpServer, type Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Connection } from './connection.ts';

/** Milliseconds from look to look, and how many looks in a row a connection must have been idle. */
const LOOK = 25,
  QUIET = 16;

/** One whose own side has ended waits for the client only to be polite. */
const close = (socket: Socket): void => {
  if (socket.writableFinished) socket.destroy();
  else socket.destroySoon();
};

/** Resolves when the last connection is closed; after `grace` ms what is left is cut. */
export function closeGracefully(server: Server, connections: ReadonlySet<Connection>, grace: number): Promise<void> {
  return new Promise((resolve) => {
    // Looks are counted, not time: a process that was held up has read nothing meanwhile, so it knows nothing of who was idle.
    const idleLooks = new Map<Connection, number>();
    const deadline = performance.now() + grace;
    const look = (): void => {
      const over = performance.now() >= deadline;
      for (const connection of connections) {
        const looks = connection.idle ? (idleLooks.get(connection) ?? -1) + 1 : -1;
        idleLooks.set(connection, looks);
        if (over) connection.socket.destroy();
        else if (looks >= QUIET) close(connection.socket);
      }
    };
    const timer = setInterval(look, LOOK);
    // Past http.Server's own close, which cuts; it is called when there is nothing left to cut, to end its timer.
    NetServer.prototype.close.call(server, () => {
      clearInterval(timer);
      HttpServer.prototype.close.call(server, () => {});
      resolve();
    });
    look();
  });
}
