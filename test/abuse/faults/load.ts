/**
 * Clients that ask without a pause on kept connections, and keep account of every request: answered whole, or not
 * accepted.
 *
 * A request that was written to a connection on which no answer has said that it ends must be answered. A connection
 * that could not be made, or was ended by the service before anything came back on it, has not been accepted.
 */
import { connect } from 'node:net';
import { readAnswers } from '../answers.ts';

/** The account of one load. */
export interface Account {
  asked: number;
  answered: number;
  refused: number;
  /** Cut, broken, or left without an answer on a connection that was kept. */
  lost: string[];
}

/** Loads until the service takes no more connections. */
export async function loadUntilGone(
  port: number,
  clients: number,
  request: (number: number) => string,
  account: Account,
): Promise<void> {
  await Promise.all(
    Array.from({ length: clients }, async (_, number) => {
      while (await connection(port, request(number), account));
    }),
  );
}

export const emptyAccount = (): Account => ({ asked: 0, answered: 0, refused: 0, lost: [] });

/** One connection until it ends; false when it could not be made. */
function connection(port: number, request: string, account: Account): Promise<boolean> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    let answered = 0;
    let waiting = false;
    let ended = false;
    let connected = false;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const ask = (): void => {
      waiting = true;
      account.asked++;
      socket.write(request);
    };
    socket.on('connect', () => {
      connected = true;
      ask();
    });
    socket.on('data', (part: Buffer) => {
      received = Buffer.concat([received, part]);
      const {
        answers: [answer],
        fault,
        cut,
      } = readAnswers(received);
      if (answer === undefined || (fault !== undefined && cut === true)) return;
      if (fault !== undefined) account.lost.push(fault);
      if (answer.status >= 500) account.lost.push(`status ${answer.status}`);
      received = Buffer.alloc(0);
      answered++;
      account.answered++;
      waiting = false;
      ended = answer.headers.get('connection') === 'close';
      if (ended) socket.end();
      else ask();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (waiting && received.length > 0) account.lost.push(`cut after ${received.length} bytes`);
      else if (waiting && answered > 0)
        account.lost.push(`not answered, the ${answered + 1}. request of a kept connection`);
      else if (waiting) account.refused++;
      resolve(connected);
    });
  });
}
