/** The servers that are measured: the floor, the service, and the peers that are installed. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

export const FLOOR = { name: 'floor', file: at('../floor/server.mjs') };

/** The service as its sources: a build is one file, and may have inlined functions. */
export const SOURCES = { name: 'ours', file: at('../../../src/main.ts') };

/** The service as a user runs it; `--service` gives the folder of another build. */
export const serviceAt = (folder = at('../../../dist')) => ({ name: 'ours', file: `${folder}/main.js` });

/** Each peer with its package. */
const PEERS = { 'fastify-same': 'fastify', fastify: 'fastify', hono: 'hono' };

const hasPeer = (name) => existsSync(at(`../peers/node_modules/${PEERS[name]}`));

/** The peers of these names, or all, whose packages are installed. */
export const peers = (...names) =>
  (names.length > 0 ? names : Object.keys(PEERS))
    .filter(hasPeer)
    .map((name) => ({ name, file: at(`../peers/${name}.mjs`) }));

/** What is not measured for want of its package. */
export const absentPeers = () => Object.keys(PEERS).filter((name) => !hasPeer(name));
