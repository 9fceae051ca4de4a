/** Raw connections for faults: opened, kept, counted. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection that does not read; its errors are of no interest. Rejects when it cannot be made. */
export async function silent(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  socket.pause();
  await once(socket, 'connect');
  socket.on('error', () => {}).on('end', () => socket.end());
  return socket;
}

/** So many of them. */
export const silentOnes = (port: number, count: number): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => silent(port)));

/** Everything that comes on a connection until its end. */
export async function readToEnd(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part)).resume();
  // "once" of node:events would take a reset for a failure of ours.
  if (!socket.closed) await new Promise((closed) => void socket.once('close', closed));
  return Buffer.concat(parts);
}

export function letGo(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

/** Resolves when a request is answered with 200. Rejects for another answer, and after 20 seconds. */
export async function assertAnswers(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(20_000) });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`/health is answered with ${response.status}`);
}
