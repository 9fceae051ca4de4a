/** The servers that are measured: the floor, the service as a user runs it, and the peers that are installed. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

export const FLOOR = { name: 'floor', file: at('../floor/server.mjs') };
/** The floor once more: how far two equal processes fall apart in this run. */
export const CONTROL = { name: 'floor again', file: FLOOR.file };
export const RECORDED = { name: 'floor', file: at('../floor/recorded.mjs') };

/** The service and the folder of its library; another build of it can be given with `--service`. */
export const serviceAt = (folder = at('../../../dist')) => ({
  name: 'ours',
  file: `${folder}/main.js`,
  modules: `${folder}/library`,
});

const PEERS = ['fastify', 'hono', 'polka'];

/** Is this package installed beside the peers? */
export const hasPeer = (name) => existsSync(at(`../peers/node_modules/${name}`));

export const peers = () => PEERS.filter(hasPeer).map((name) => ({ name, file: at(`../peers/${name}.mjs`) }));

/** What is not measured for want of its package. */
export const absentPeers = () =>
  [
    ...[...PEERS, 'sirv', 'memoirist', 'find-my-way', 'ajv', 'ajv-formats', 'fast-json-stringify'],
    ...['better-sqlite3', 'redis'],
  ].filter((name) => !hasPeer(name));
