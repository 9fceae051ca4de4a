/** Sends bytes in one of the ways that a network, or an attacker, delivers them, and takes down what comes back. */
import { connect } from 'node:net';
import type { Random } from './random.ts';

/** How the bytes are cut, and what happens behind them. */
export interface Delivery {
  /** Where the bytes are cut, rising. */
  readonly cuts: readonly number[];
  /** `half`: the client closes its side. `open`: it waits. `reset`, `gone`: it leaves without reading. */
  readonly ending: 'half' | 'open' | 'reset' | 'gone';
}

/** What came of it. */
export interface Outcome {
  readonly received: Buffer;
  /** `closed` by the service, `reset` by it, `left` by us, `hung`: nobody ended it. */
  readonly how: 'closed' | 'reset' | 'left' | 'hung';
}

/** Milliseconds after which a connection hangs: longer than any limit of the service. */
const PATIENCE = 10_000;

export function delivery(chance: Random, length: number): Delivery {
  const cuts = new Set<number>();
  const kind = chance.below(10);
  if (kind === 0 && length < 600) for (let at = 1; at < length; at++) cuts.add(at);
  else if (kind < 5) for (let count = 1 + chance.below(6); count > 0; count--) cuts.add(1 + chance.below(length));
  const way = chance.below(20);
  return {
    cuts: [...cuts].sort((one, other) => one - other),
    ending: way === 0 ? 'reset' : way === 1 ? 'gone' : way < 5 ? 'open' : 'half',
  };
}

export function deliver(
  port: number,
  bytes: Buffer,
  { cuts, ending }: Delivery,
  patience = PATIENCE,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const parts: Buffer[] = [];
    let how: Outcome['how'] = 'closed';
    const timer = setTimeout(() => leave('hung'), patience);
    const leave = (reason: Outcome['how']): void => {
      how = reason;
      socket.destroy();
    };
    const pieces = [0, ...cuts].map((from, at) => bytes.subarray(from, cuts[at] ?? bytes.length));
    const next = (): void => {
      const piece = pieces.shift();
      if (socket.destroyed || socket.writableEnded) return;
      if (piece !== undefined) socket.write(piece, () => setImmediate(next));
      else if (ending === 'half') socket.end();
      else if (ending === 'gone') leave('left');
      else if (ending === 'reset') {
        how = 'left';
        socket.resetAndDestroy();
      }
    };
    socket
      .on('connect', next)
      .on('data', (part) => parts.push(part))
      .on('end', () => socket.end());
    socket.on('error', () => {
      if (how === 'closed') how = 'reset';
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ received: Buffer.concat(parts), how });
    });
  });
}
