import { test } from 'node:test';
import { stopUnderLoad } from './faults/stop-under-load.ts';

test('shutdown – SIGTERM under load → every request answered whole or never accepted', { timeout: 60_000 }, () =>
  stopUnderLoad(12),
);
