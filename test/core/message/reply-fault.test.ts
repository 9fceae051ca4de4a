import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replyFault } from '../../../src/core/message/reply-fault.ts';
import { INVALID, VALID } from './reply-fault.cases.ts';

for (const { clause, question, reply, says, method } of [...INVALID, ...VALID]) {
  test(`${clause} – a reply with ${question} → ${says === undefined ? 'valid' : 'the fault is named'}`, () => {
    const fault = replyFault(reply(), method!);
    if (says === undefined) assert.equal(fault, undefined);
    else assert.match(fault ?? '', says);
  });
}
