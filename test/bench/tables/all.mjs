/** The tables in the order in which they are printed. `quick`: part of the short form. */
import { description } from './description.mjs';
import { growth } from './growth.mjs';
import { http } from './http.mjs';
import { inProcess } from './in-process.mjs';
import { links } from './links.mjs';
import { pipeline } from './pipeline.mjs';
import { routing } from './routing.mjs';
import { schemas } from './schemas.mjs';
import { start } from './start.mjs';
import { staticFiles } from './static.mjs';
import { stores } from './stores.mjs';
import { trace } from './trace.mjs';
import { versions } from './versions.mjs';

export const TABLES = [
  { name: 'http', title: 'HTTP', quick: true, make: http },
  { name: 'in-process', title: 'In process, without kernel and sockets', quick: true, make: inProcess },
  { name: 'start', title: 'Start and memory', quick: true, make: start },
  { name: 'static', title: 'Static files', quick: true, make: staticFiles },
  { name: 'description', title: 'Description', quick: true, make: description },
  { name: 'routing', title: 'Routing', quick: true, make: routing },
  { name: 'schemas', title: 'Schemas', quick: true, make: schemas },
  { name: 'links', title: 'Links', quick: true, make: links },
  { name: 'pipeline', title: 'Pipeline', quick: true, make: pipeline },
  { name: 'trace', title: 'Trace', quick: false, make: trace },
  { name: 'versions', title: 'HTTP/1.1 and HTTP/2 over TLS', quick: false, make: versions },
  { name: 'stores', title: 'Stores', quick: false, make: stores },
  { name: 'growth', title: 'Growth', quick: false, make: growth },
];
