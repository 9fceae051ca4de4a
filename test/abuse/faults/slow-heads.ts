import assert from 'node:assert/strict';
import { readAnswers } from '../answers.ts';
import { startService } from '../running-service.ts';
import { latency, readToEnd, silentOnes } from './connections.ts';
import type { Fault } from './fault.ts';

const BEGINNINGS = [
  'GET /health HTTP/1.1\r\nHost: a\r\nX-Slow: ',
  'POST /api/todo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{"name":"',
];

export const slowHeads: Fault = {
  name: 'a thousand clients that send a byte at a time → 408 each, others are served meanwhile',
  async run() {
    const service = await startService({ flags: ['--request-timeout', '5s', '--health-checks', 'on'] });
    const { port } = service;
    const sockets = await silentOnes(port, 1000);
    const from = performance.now();
    for (const [at, socket] of sockets.entries()) socket.write(BEGINNINGS[at % 2]!);
    const timer = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('y');
    }, 200);
    const ends = sockets.map(readToEnd);
    for (let count = 0; count < 10; count++) assert.ok((await latency(port)) < 1000);
    const received = await Promise.all(ends);
    clearInterval(timer);
    const statuses = received.map((bytes) =>
      readAnswers(bytes)
        .answers.map(({ status }) => status)
        .join(),
    );
    assert.deepEqual([...new Set(statuses)], ['408']);
    assert.ok(performance.now() - from < 9000);
    assert.equal((await service.stop()).code, 0);
  },
};
