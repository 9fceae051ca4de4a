/** Listens on a port or on a Unix socket (`--host unix:/path`). */
import { once } from 'node:events';
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { urlOf } from '../core/application/serve.ts';
import { thrownMember } from '../core/log/thrown-value.ts';
import type { HttpService } from '../core/wire/service.ts';
import { type Place, socketPathOf } from './listen-place.ts';

/** The user and the group of the service may connect to its Unix sockets. The folder of a socket can allow fewer. */
const SOCKET_MODE = 0o660;

/** A path for a Unix socket. */
export type Address = AddressInfo | string;

/** As URLs have it; the path of a Unix socket stands between `unix:` and a further colon, as in nginx. */
export const originOf = (address: Address): string =>
  typeof address === 'string' ? `http://unix:${address}:` : urlOf(address, 'http');

/** Listens on the host. Rejects with the errors of the system. */
export async function listen(service: HttpService, { host, port, reusePort }: Place): Promise<Address> {
  const path = socketPathOf(host);
  if (path === undefined) return service.listen(port, host, reusePort);
  const { server } = service;
  server.listen({ path });
  await once(server, 'listening');
  // After EMFILE the connection waits in the queue of the kernel.
  server.on('error', () => {});
  chmodSync(path, SOCKET_MODE);
  return path;
}

/** Removes the Unix socket that a killed service has left. One that somebody answers at stays, and is taken then. */
export async function removeStaleSocket(host: string): Promise<void> {
  const path = socketPathOf(host);
  if (path === undefined || lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return;
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch (error) {
    if (thrownMember(error, 'code') === 'ECONNREFUSED') unlinkSync(path);
  } finally {
    socket.destroy();
  }
}
