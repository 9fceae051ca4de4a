import assert from 'node:assert/strict';
import { readAnswers } from '../answers.ts';
import { addItem, assertIntact, type Item } from '../items.ts';
import { startService } from '../running-service.ts';
import { latency, letGo, readToEnd, silent, silentOnes } from './connections.ts';
import type { Fault } from './fault.ts';

const MIB = 2 ** 20;
const asks = (path: string, count: number): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(count);

export const pipelinedFlood: Fault = {
  name: 'clients that ask on without reading → bounded memory; one that reads gets every answer',
  async run() {
    const service = await startService({ flags: ['--health-checks', 'on', '--static', 'static/site'] });
    const { port } = service;
    const items: Item[] = [];
    for (let at = 0; at < 30; at++) items.push((await addItem(port, 'x'.repeat(1000)))!);
    for (const path of ['/api/todo', '/nothing/here', '/swagger/ui/swagger-ui-bundle.js']) {
      const before = service.memory();
      const sockets = await silentOnes(port, 40);
      for (const socket of sockets) socket.write(asks(path, 4000));
      assert.ok((await latency(port)) < 5000);
      assert.ok(service.memory() - before < 250 * MIB, `${path}: ${Math.round((service.memory() - before) / MIB)} MiB`);
      letGo(sockets);
      const reader = await silent(port);
      reader.end(asks(path, 40));
      const { answers, fault } = readAnswers(await readToEnd(reader));
      assert.equal(fault, undefined);
      assert.equal(answers.length, 40);
    }
    const reader = await silent(port);
    reader.end(asks('/health', 20_000));
    assert.equal(readAnswers(await readToEnd(reader)).answers.length, 20_000);
    await assertIntact(port, items);
    assert.equal((await service.stop()).code, 0);
  },
};
