/** Says where the service and its admin port listen, and listens there: on a port or a Unix socket (D114, D117). */
import { once } from 'node:events';
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { application } from '../core/application/application.ts';
import type { ApplicationOptions } from '../core/application/application-options.ts';
import type { Plugin } from '../core/application/plugin.ts';
import { urlOf } from '../core/application/serve.ts';
import { thrownMember } from '../core/log/thrown-value.ts';
import { HttpService, type ServiceOptions } from '../core/wire/service.ts';

/** A host, with a port or as a Unix socket, and whether other services share the port. */
interface Place {
  readonly host: string;
  readonly port: number;
  readonly reusePort?: boolean;
}

/** The settings of the admin port. */
interface AdminSettings {
  readonly adminHost: string;
  readonly adminPort: number | undefined;
}

/** A path for a Unix socket. */
export type Address = AddressInfo | string;

/** The user and the group of the service may connect to its Unix sockets. The folder of a socket can allow fewer. */
const SOCKET_MODE = 0o660;
/** What a stop waits for requests of operators, in milliseconds; those of the service have ended by then. */
const ADMIN_GRACE = 1000;

/** The path of a host that is a Unix socket; undefined for others. */
export const socketPathOf = (host: string): string | undefined =>
  host.startsWith('unix:') ? host.slice('unix:'.length) : undefined;

/** The place of the admin port; undefined where there is none. A Unix socket has no port. */
export const adminPlace = ({ adminHost: host, adminPort: port }: AdminSettings): Place | undefined =>
  port === undefined && socketPathOf(host) === undefined ? undefined : { host, port: port ?? 0 };

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

/** The admin port cannot be listened on; the cause is the error of the system. */
export class AdminPortError extends Error {}

/** The plugin of the service that closes the admin port, once no other is open and before the other plugins stop. */
export interface AdminPort extends Plugin {
  /** Rejects with an `AdminPortError`. */
  listen(): Promise<Address>;
}

/** A port at which an application of these plugins answers, beside that of the service. */
export function adminPort(
  settings: AdminSettings & Pick<ApplicationOptions, 'allowedHosts' | 'trustedProxies'>,
  plugins: readonly Plugin[],
  limits: ServiceOptions['limits'],
): AdminPort {
  const { allowedHosts, trustedProxies } = settings;
  const service = new HttpService(application(plugins, { allowedHosts, trustedProxies }), { limits });
  return {
    name: 'admin-port',
    async listen() {
      try {
        return await listen(service, adminPlace(settings)!);
      } catch (cause) {
        throw new AdminPortError('Cannot listen on the admin port', { cause });
      }
    },
    stop: () => service.close(ADMIN_GRACE),
  };
}
