/**
 * The files and folders that `npm test` omits because they are slow, with the reason. `npm run test:all`, which CI
 * calls, runs them, and so does `npm test -- WORD`.
 */
export const APART: Readonly<Record<string, string>> = {
  'test/abuse/': 'corrupts requests to running services, loads the services and kills them',
  'test/bench/': 'starts each server of the bench',
  'test/core/http/headers/header-cost.test.ts': 'measures the cost of headers',
  'test/deploy/backups.test.ts': 'makes backups of eight nights with the built program',
  'test/deploy/proxies.test.ts': 'restarts two instances behind three proxies',
  'test/e2e/items-store.test.ts': 'repeats the requests for items with a store that answers later',
  'test/e2e/lasting-stores.test.ts': 'repeats them with each persistent store',
  'test/plugins/collection/list-memory.test.ts': 'stores 100,000 items and serves forty slow readers',
  'test/shelf/redis/': 'starts engines and makes them fail',
  'test/house/readme.test.ts': 'runs each program and each command of the pages',
  'test/lessons/': 'works through every lesson as a learner does',
  'test/main.test.ts': 'starts the program for each row',
  'test/service/listening.test.ts': 'starts the program for each row',
  'test/service/reuse-port.test.ts': 'restarts services under load',
  'test/service/service-trace.test.ts': 'starts services and sends large replies',
  'test/release/': 'builds the release and starts it',
  'test/surface/': 'runs the compiler for each row',
};
