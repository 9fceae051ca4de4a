/** Stands between a client and a server: a connection may hang, as behind a firewall that has forgotten it. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Relay {
  readonly port: number;
  /** How many connections there have been. */
  readonly connections: number;
  /** Takes what comes over the present connections and passes nothing on; later connections are carried. */
  hang(): void;
  /** Later connections go to this port, as those to a name do that leads to another server now. */
  lead(port: number): void;
  /** Ends the present connections. */
  cut(): void;
  close(): void;
}

/** Carries connections to this port of the machine. */
export async function startRelay(target: number): Promise<Relay> {
  let pairs: (readonly [Socket, Socket])[] = [];
  let connections = 0;
  let port = target;
  const server = createServer((near) => {
    connections++;
    const far = connect({ port, host: '127.0.0.1' });
    const pair = [near, far] as const;
    pairs.push(pair);
    near.pipe(far).pipe(near);
    for (const socket of pair)
      socket
        .on('error', () => {})
        .on('close', () => {
          for (const one of pair) one.destroy();
          pairs = pairs.filter((other) => other !== pair);
        });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  return {
    port: (server.address() as { readonly port: number }).port,
    get connections() {
      return connections;
    },
    hang() {
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
        for (const socket of [near, far]) socket.resume();
      }
    },
    lead(other) {
      port = other;
    },
    cut,
    close() {
      cut();
      server.close();
    },
  };
}
