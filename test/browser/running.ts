/** The service as its users start it, and a proxy in front of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';

/** Something that listens on loopback. */
export interface Running {
  readonly port: number;
  stop(): Promise<void>;
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** Ends a child with this process, however that ends. */
export function leaveNone(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
}

/** Starts `src/main.ts` on a free port with these flags, and waits until it has printed where the page is. */
export async function service(...flags: readonly string[]): Promise<Running> {
  const main = new URL('../../src/main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--import', 'tsx', main, '--port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  leaveNone(child);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const port = await new Promise<number>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += String(chunk);
      const found = /:(\d+)[^\n]*\/swagger\/ui\n/.exec(said);
      if (found) resolve(Number(found[1]));
    });
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}: ${said}`)));
  });
  return {
    port,
    stop: () => {
      child.kill();
      return ended;
    },
  };
}

/**
 * A proxy that takes a prefix away and says nothing about it but what is in `more`; whatever has no prefix is not
 * found.
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
      new Promise((resolve) => {
        server.close(() => resolve()).closeAllConnections();
      }),
  };
}

/** A proxy that passes bytes on. `cut()` ends every connection; new ones are taken as before. */
export async function cuttingProxy(to: number): Promise<Running & { cut(): void }> {
  const sockets = new Set<Socket>();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createTcpServer((incoming) => {
    const outgoing = connect(to, '127.0.0.1');
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .once('close', () => {
          sockets.delete(socket);
          other.destroy();
        })
        .pipe(other);
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
