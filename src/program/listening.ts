/**
 * Listens on a port, on a Unix socket (`--host unix:/path`), or on the socket that a supervisor such as systemd has
 * opened (`LISTEN_FDS`).
 */
import { once } from 'node:events';
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { urlOf } from '../core/application/serve.ts';
import { thrownMember } from '../core/log/thrown-value.ts';
import type { HttpService } from '../core/wire/service.ts';
import { type Place, socketPathOf } from './listen-place.ts';
import { SettingsError } from './settings/settings.ts';

/** The user and the group of the service may connect to its Unix sockets. The folder of a socket can allow fewer. */
const SOCKET_MODE = 0o660;

/** What supervisors open first. */
const FIRST_DESCRIPTOR = 3;

/**
 * The descriptor of the socket that the process with the id `owner` has inherited, as sd_listen_fds(3) has it;
 * undefined for none. Throws a `SettingsError` for several.
 */
export function inheritedSocket(
  { LISTEN_FDS: count, LISTEN_PID: pid }: NodeJS.ProcessEnv,
  owner: number,
): number | undefined {
  if (!count || Number(pid) !== owner) return undefined;
  if (count === '1') return FIRST_DESCRIPTOR;
  throw new SettingsError(`Cannot use LISTEN_FDS "${count}": the service listens on one socket; hand over one alone`);
}

/** A path for a Unix socket; null for an inherited socket of which nobody tells one. */
export type Address = AddressInfo | string | null;

/** As URLs have it; the path of a Unix socket stands between `unix:` and a further colon, as in nginx. */
export const originOf = (address: Address): string =>
  address === null
    ? 'http://(LISTEN_FDS)'
    : typeof address === 'string'
      ? `http://unix:${address}:`
      : urlOf(address, 'http');

/** Listens on the descriptor, else on the host. Rejects with the errors of the system. */
export async function listen(
  service: HttpService,
  { host, port }: Place,
  descriptor: number | undefined,
): Promise<Address> {
  const path = socketPathOf(host);
  if (descriptor === undefined && path === undefined) return service.listen(port, host);
  const { server } = service;
  server.listen(descriptor === undefined ? { path } : { fd: descriptor });
  await once(server, 'listening');
  // After EMFILE the connection waits in the queue of the kernel.
  server.on('error', () => {});
  if (descriptor === undefined) chmodSync(path!, SOCKET_MODE);
  return server.address();
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
