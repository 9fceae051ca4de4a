/** The test files that run alone in a process, with the reason. They start first. */
export const ALONE: Readonly<Record<string, string>> = {
  'test/extensions/redis/faults.test.ts': 'waits for idle connections',
  'test/extensions/redis/redis-connection-start.test.ts': 'waits for many processes and changes environment variables',
  'test/extensions/redis/redis-connection-cluster.test.ts': 'changes the working directory',
  'test/deploy/proxies.test.ts': 'waits for restarts of two instances behind three proxies',
  'test/e2e/lasting-stores.test.ts': 'changes the working directory',
  'test/extensions/collection/copy-items.test.ts': 'changes the working directory',
  'test/program/explain.test.ts': 'reads every script of its process through the inspector, many times',
  'test/program/service-trace.test.ts': 'reads every script of its process through the inspector, many times',
  'test/extensions/files/folder.test.ts': 'stops the clock',
  'test/extensions/events/event-stream.test.ts': 'stops the clock, and Node prints a warning',
};
