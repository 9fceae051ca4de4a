/** What a redis-server's clients are told while it fails (D85), and what replicas of each version answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redisFault } from '../../../src/extensions/redis/redis-fault.ts';
import { HttpProblem } from '../../../src/index.ts';
import { ENGINES } from '../../support/lasting-stores.ts';
import { testFaults } from './faults.suite.ts';

for (const [version, code] of [
  ['6', "ERR Error running script (call to f_1028a5): @user_script:1: @user_script: 1: -READONLY You can't write"],
  ['7', "READONLY You can't write against a read only replica. script: 6b8184, on @user_script:1."],
] as const)
  test(`D85 – a replica refuses a script in the words of Redis ${version} → 503`, () => {
    const fault = redisFault(new Error(code));
    assert.ok(fault instanceof HttpProblem && fault.status === 503);
  });

if (ENGINES.includes('redis-server')) testFaults('redis-server');
