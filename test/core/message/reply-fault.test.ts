import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readyReply } from '../../../src/core/message/ready-reply.ts';
import type { Reply } from '../../../src/core/message/reply.ts';
import { contextFor } from '../../../src/testing.ts';
import { INVALID, VALID } from './reply-fault.cases.ts';

const nameStage = (): string => 'a stage';

for (const { clause, question, reply, says, method } of [...INVALID, ...VALID]) {
  test(`${clause} – a reply with ${question} → ${says === undefined ? 'valid' : 'the fault is named'}`, () => {
    const context = contextFor('/', { method: method! });
    const ready = (): unknown => readyReply(reply() as Reply, context, nameStage);
    if (says === undefined) ready();
    else assert.throws(ready, { name: 'InvalidReply', message: says });
  });
}
