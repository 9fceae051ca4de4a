/** Makes the service and its admin port listen on a TCP port or on a Unix socket (D114, D117). */
import { once } from 'node:events';
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { application } from '../core/application/application.ts';
import type { ApplicationOptions } from '../core/application/application-options.ts';
import type { Plugin } from '../core/application/plugin.ts';
import { urlOf } from '../core/application/serve.ts';
import { thrownMember } from '../core/log/thrown-value.ts';
import { HttpService, type ServiceOptions } from '../core/server/service.ts';

/** A place to listen on: a host with a port, or a Unix socket. With `reusePort`, other services can share the port. */
interface Place {
  readonly host: string;
  readonly port: number;
  readonly reusePort?: boolean;
  readonly isAdmin?: boolean;
}

/** The settings of the admin port. Services never share an admin port, because it describes one process (D87). */
interface AdminSettings {
  readonly adminHost: string;
  readonly adminPort: number | undefined;
}

export type Address = AddressInfo | string;

/** Allows the user and the group of the service to connect. The mode of the socket's folder can restrict this. */
const SOCKET_MODE = 0o660;
/** The most milliseconds that a stop waits for requests on the admin port, after those on the other port. */
const ADMIN_GRACE = 1000;

/** Returns the path in `unix:/path`, or undefined if the host is not a Unix socket. */
export const socketPathOf = (host: string): string | undefined =>
  host.startsWith('unix:') ? host.slice('unix:'.length) : undefined;

/** Returns the place of the admin port, or undefined if no admin port is set. A Unix socket needs no port number. */
export const adminPlace = ({ adminHost: host, adminPort: port }: AdminSettings): Place | undefined =>
  port === undefined && socketPathOf(host) === undefined ? undefined : { host, port: port ?? 0, isAdmin: true };

/** Returns the origin of an address for messages. A Unix socket is written as in nginx: `http://unix:/path:`. */
export const originOf = (address: Address): string =>
  typeof address === 'string' ? `http://unix:${address}:` : urlOf(address, 'http');

export class ListenError extends Error {
  readonly place: Place;

  constructor(place: Place, cause: unknown) {
    super(`Cannot listen on "${place.host}"`, { cause });
    this.place = place;
  }
}

/** Resolves to the address, once the service listens on the place. Replaces the Unix socket of a killed service. */
export async function listen(service: HttpService, place: Place): Promise<Address> {
  const { server } = service;
  const path = socketPathOf(place.host);
  try {
    if (path === undefined) return await service.listen(place.port, place.host, place.reusePort);
    await removeStaleSocket(path);
    server.listen({ path });
    await once(server, 'listening');
  } catch (cause) {
    throw new ListenError(place, cause);
  }
  // Without a listener, EMFILE would end the process. The new connection waits in the queue of the kernel.
  server.on('error', () => {});
  chmodSync(path, SOCKET_MODE);
  return path;
}

/** Removes the Unix socket of a service that was killed. Keeps the socket if a process still listens on it. */
async function removeStaleSocket(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return;
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch (error) {
    if (thrownMember(error, 'code') === 'ECONNREFUSED') unlinkSync(path);
  } finally {
    socket.destroy();
  }
}

/** The admin port. As a plugin, it closes after the port of the service and before the other plugins stop. */
export interface AdminPort extends Plugin {
  listen(): Promise<Address>;
}

export function adminPort(
  settings: AdminSettings & Pick<ApplicationOptions, 'allowedHosts' | 'trustedProxies'>,
  plugins: readonly Plugin[],
  limits: ServiceOptions['limits'],
): AdminPort {
  const { allowedHosts, trustedProxies } = settings;
  const service = new HttpService(application(plugins, { allowedHosts, trustedProxies }), { limits });
  return {
    name: 'admin-port',
    listen: () => listen(service, adminPlace(settings)!),
    stop: () => service.close(ADMIN_GRACE),
  };
}
