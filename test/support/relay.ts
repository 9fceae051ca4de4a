/** Relays connections between a client and a server. A connection can hang, as after a firewall drops its state. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Relay {
  readonly port: number;
  /** The number of connections so far. */
  readonly connections: number;
  /** Reads from the present connections but forwards nothing. Later connections work. */
  hang(): void;
  /** Sends later connections to another port, as after a change of a DNS name. */
  lead(port: number): void;
  /** Closes the present connections. */
  cut(): void;
  close(): void;
}

/** Starts a relay to a port of this machine. */
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
          for (const end of pair) end.destroy();
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
