/** One way in which the world around the service fails. */
import assert from 'node:assert/strict';
import { type RunningService, type Start, startService } from '../running-service.ts';

export interface Fault {
  /** What happens, and what must come of it. */
  readonly name: string;
  /** Throws when something else comes of it. Returns why it could not be tried here, if so. */
  run(): Promise<string | void>;
}

/** A fault of one service, which has to end with 0 when it is told to stop. */
export const faultOf = (name: string, start: Start, run: (service: RunningService) => Promise<void>): Fault => ({
  name,
  async run() {
    const service = await startService(start);
    await run(service);
    assert.equal((await service.stop()).code, 0);
  },
});

export const succeeds = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  );
