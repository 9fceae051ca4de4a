/** Begins the whole service for one row, with items in memory or elsewhere. */
import type { TestContext } from 'node:test';
import type { serve } from '../support/serve.ts';

export type WholeServing = (
  t: TestContext,
  settings?: Parameters<typeof serve>[1],
) => Promise<{ readonly port: number }>;
