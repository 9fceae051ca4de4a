/** Starts the service as its users do, and a proxy in front of it. */
import type { ChildProcess } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RunningService, startService } from '../abuse/running-service.ts';

/** A server that listens on loopback. */
export interface Running {
  readonly port: number;
  stop(): Promise<unknown>;
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** Kills a child when this process exits for any reason. */
export function leaveNone(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
}

/** Starts the service on a free port with these flags, and waits until it listens. */
export async function service(...flags: readonly string[]): Promise<RunningService> {
  const running = await startService({ flags });
  leaveNone(running.child);
  return running;
}

/**
 * Starts a proxy that removes a prefix. It adds only the headers in `more`, and answers 404 without the prefix.
 */
export async function strippingProxy(
  prefix: string,
  to: number,
  more: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    if (!url.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end();
      return;
    }
    const path = url.slice(prefix.length);
    const forwarded = request(
      { host: '127.0.0.1', port: to, method, headers: { ...headers, ...more }, path },
      (reply) => {
        outgoing.writeHead(reply.statusCode!, reply.headers);
        reply.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve()).closeAllConnections();
      }),
  };
}
