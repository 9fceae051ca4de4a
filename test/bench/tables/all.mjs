/**
 * The tables in the order in which they are printed. `quick`: part of the short form.
 */
import { connections } from './connections.mjs';
import { http } from './http.mjs';
import { start } from './start.mjs';
import { staticFiles } from './static.mjs';

export const TABLES = [
  { name: 'http', title: 'HTTP', quick: true, make: http },
  { name: 'static', title: 'Files and description', quick: true, make: staticFiles },
  { name: 'start', title: 'Start and memory', quick: true, make: start },
  { name: 'connections', title: 'Idle connections', quick: false, make: connections },
];
