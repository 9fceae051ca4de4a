/**
 * The tables in the order in which they are printed. `quick`: part of the short form; `judged`: its lines have goals,
 * and it is made for several versions of Node.
 */
import { connections } from './connections.mjs';
import { growth } from './growth.mjs';
import { http } from './http.mjs';
import { inProcess } from './in-process.mjs';
import { latency } from './latency.mjs';
import { links } from './links.mjs';
import { pipeline } from './pipeline.mjs';
import { routing } from './routing.mjs';
import { schemas } from './schemas.mjs';
import { start } from './start.mjs';
import { staticFiles } from './static.mjs';
import { stores } from './stores.mjs';
import { versions } from './versions.mjs';

export const TABLES = [
  { name: 'http', title: 'HTTP', quick: true, judged: true, make: http },
  { name: 'static', title: 'Files and description', quick: true, judged: true, make: staticFiles },
  { name: 'schemas', title: 'Schemas', quick: true, judged: true, make: schemas },
  { name: 'start', title: 'Start and memory', quick: true, judged: true, make: start },
  { name: 'connections', title: 'Idle connections', quick: false, judged: true, make: connections },
  { name: 'latency', title: 'Latency', quick: false, judged: true, make: latency },
  { name: 'in-process', title: 'In process, without kernel and sockets', quick: false, judged: false, make: inProcess },
  { name: 'routing', title: 'Routing', quick: true, judged: false, make: routing },
  { name: 'links', title: 'Links', quick: true, judged: false, make: links },
  { name: 'pipeline', title: 'Pipeline', quick: true, judged: false, make: pipeline },
  { name: 'versions', title: 'HTTP/1.1 and HTTP/2 over TLS', quick: false, judged: false, make: versions },
  { name: 'stores', title: 'Stores', quick: false, judged: false, make: stores },
  { name: 'growth', title: 'Growth', quick: false, judged: false, make: growth },
];
