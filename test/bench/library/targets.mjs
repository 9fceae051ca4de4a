/** The servers that are measured: the floor, the service as a user runs it, and the peers that are installed. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

export const FLOOR = { name: 'floor', file: at('../floor/server.mjs') };

/** The service; `--service` gives the folder of another build. */
export const serviceAt = (folder = at('../../../dist')) => ({ name: 'ours', file: `${folder}/main.js` });

const PEERS = ['fastify', 'hono'];

const hasPeer = (name) => existsSync(at(`../peers/node_modules/${name}`));

/** The peers whose packages are installed. */
export const peers = (names) => names.filter(hasPeer).map((name) => ({ name, file: at(`../peers/${name}.mjs`) }));

/** What is not measured for want of its package. */
export const absentPeers = () => PEERS.filter((name) => !hasPeer(name));
