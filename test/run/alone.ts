/** Test files with a process of their own, which begin first, and why. */
export const ALONE: Readonly<Record<string, string>> = {
  'test/extensions/redis/faults.test.ts': 'waits for connections that carry nothing',
  'test/extensions/redis/redis-connection-start.test.ts': 'waits for many processes, and changes the variables',
  'test/extensions/redis/redis-connection-cluster.test.ts': 'changes the working directory',
  'test/deploy/proxies.test.ts': 'waits for restarts of two instances behind three proxies',
  'test/e2e/lasting-stores.test.ts': 'changes the working directory',
  'test/extensions/collection/copy-items.test.ts': 'changes the working directory',
  'test/program/explain.test.ts': 'asks the inspector for every script of its process, many times',
  'test/program/service-trace.test.ts': 'asks the inspector for every script of its process, many times',
  'test/extensions/files/folder.test.ts': 'stops the clock',
  'test/extensions/events/event-stream.test.ts': 'stops the clock, of which Node warns once',
};
