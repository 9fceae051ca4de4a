/** The test files that run alone in a process, with the reason. They start first. */
export const ALONE: Readonly<Record<string, string>> = {
  'test/shelf/redis/faults.test.ts': 'waits for idle connections',
  'test/shelf/redis/redis-connection-start.test.ts': 'waits for many processes and changes environment variables',
  'test/shelf/redis/redis-access.test.ts': 'changes the working directory',
  'test/deploy/proxies.test.ts': 'waits for restarts of two instances behind three proxies',
  'test/e2e/lasting-stores.test.ts': 'changes the working directory',
  'test/plugins/collection/copy-items.test.ts': 'changes the working directory',
  'test/plugins/files/folder.test.ts': 'stops the clock',
  'test/shelf/events/comments.test.ts': 'stops the clock, and Node prints a warning',
};
