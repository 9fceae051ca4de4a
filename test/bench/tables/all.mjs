/**
 * The tables in the order in which they are printed. `quick`: part of the short form; `judged`: its lines have goals,
 * and it is made for several versions of Node.
 */
import { connections } from './connections.mjs';
import { http } from './http.mjs';
import { links } from './links.mjs';
import { pipeline } from './pipeline.mjs';
import { routing } from './routing.mjs';
import { schemas } from './schemas.mjs';
import { start } from './start.mjs';
import { staticFiles } from './static.mjs';

export const TABLES = [
  { name: 'http', title: 'HTTP', quick: true, judged: true, make: http },
  { name: 'static', title: 'Files and description', quick: true, judged: true, make: staticFiles },
  { name: 'schemas', title: 'Schemas', quick: true, judged: true, make: schemas },
  { name: 'start', title: 'Start and memory', quick: true, judged: true, make: start },
  { name: 'connections', title: 'Idle connections', quick: false, judged: true, make: connections },
  { name: 'routing', title: 'Routing', quick: true, judged: false, make: routing },
  { name: 'links', title: 'Links', quick: true, judged: false, make: links },
  { name: 'pipeline', title: 'Pipeline', quick: true, judged: false, make: pipeline },
];
