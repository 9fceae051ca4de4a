/**
 * What `npm test` leaves to `npm run test:all`, which CI calls, and why: files and folders that start so much beside
 * them that one would wait for them. `npm test -- WORD` runs them too.
 */
export const APART: Readonly<Record<string, string>> = {
  'test/abuse/': 'spoils, loads and kills running services',
  'test/core/message/headers/header-cost.test.ts': 'measures what headers cost',
  'test/core/routing/constraints/recorded-expressions.test.ts': 'measures what expressions cost',
  'test/deploy/proxies.test.ts': 'restarts two instances behind three proxies',
  'test/e2e/items-store.test.ts': 'asks the rows of items again, of a store that answers later',
  'test/e2e/lasting-stores.test.ts': 'asks them again of each store that outlives the process',
  'test/extensions/collection/list-memory.test.ts': 'keeps 100,000 items and forty slow readers',
  'test/extensions/redis/': 'starts engines, and makes them fail',
  'test/house/readme.test.ts': 'runs each program and each command of the pages',
  'test/lessons/': 'does every lesson as a learner does',
  'test/main.test.ts': 'starts the program for each row',
  'test/program/explain.test.ts': 'asks the inspector for every script of its process, many times',
  'test/program/listening.test.ts': 'starts the program for each row',
  'test/program/reuse-port.test.ts': 'restarts services under load',
  'test/program/service-trace.test.ts': 'asks the inspector for every script of its process, many times',
  'test/release/': 'makes what is handed over, and starts it',
  'test/surface/': 'runs the compiler for each row',
};
