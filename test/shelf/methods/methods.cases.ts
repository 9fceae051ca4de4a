/** The methods of a path by the routes. A route is `METHOD[,METHOD] template`; `ANY` is every method. */

export interface MethodsCase {
  readonly routes: string;
  readonly ask: string;
  readonly status: number;
  /** The route that answers, as written in `routes`; undefined if the plugin answers, or nothing does. */
  readonly by?: string;
  readonly allow?: string;
}

const ITEMS = 'GET,POST api/items; GET api/items/{id}; PUT api/items/{id}; DELETE api/items/{id}';
const SHELL = `${ITEMS}; GET {*page}`;
const NOT_FOUND = `${ITEMS}; ANY {*path}`;
const OF_ITEMS = 'GET, HEAD, POST, OPTIONS';
const OF_ITEM = 'GET, HEAD, PUT, DELETE, OPTIONS';

export const ALONE: readonly MethodsCase[] = [
  { routes: ITEMS, ask: 'GET /api/items', status: 200, by: 'GET,POST api/items' },
  { routes: ITEMS, ask: 'POST /api/items', status: 200, by: 'GET,POST api/items' },
  { routes: ITEMS, ask: 'OPTIONS /api/items', status: 204, allow: OF_ITEMS },
  { routes: ITEMS, ask: 'OPTIONS /API/Items/', status: 204, allow: OF_ITEMS },
  { routes: ITEMS, ask: 'OPTIONS /api/items/7?x=1', status: 204, allow: OF_ITEM },
  { routes: ITEMS, ask: 'PUT /api/items', status: 405, allow: OF_ITEMS },
  { routes: ITEMS, ask: 'PATCH /api/items/7', status: 405, allow: OF_ITEM },
  { routes: ITEMS, ask: 'PURGE /api/items/7', status: 405, allow: OF_ITEM },
  { routes: ITEMS, ask: 'HEAD /api/items/7', status: 200, by: 'GET api/items/{id}' },
  { routes: ITEMS, ask: 'GET /api/nothing', status: 404 },
  { routes: ITEMS, ask: 'OPTIONS /api/nothing', status: 404 },
  { routes: ITEMS, ask: 'HEAD /api/nothing', status: 404 },
  { routes: 'POST jobs', ask: 'HEAD /jobs', status: 405, allow: 'POST, OPTIONS' },
  { routes: 'POST jobs', ask: 'GET /jobs', status: 405, allow: 'POST, OPTIONS' },
  { routes: 'GET a; HEAD a', ask: 'HEAD /a', status: 200, by: 'HEAD a' },
  { routes: 'HEAD a; GET a', ask: 'POST /a', status: 405, allow: 'HEAD, GET, OPTIONS' },
  { routes: 'GET a; OPTIONS a', ask: 'OPTIONS /a', status: 200, by: 'OPTIONS a' },
  { routes: 'OPTIONS a; GET a', ask: 'POST /a', status: 405, allow: 'OPTIONS, GET, HEAD' },
  { routes: 'get,Purge cache/{key}', ask: 'PURGE /cache/a', status: 200, by: 'get,Purge cache/{key}' },
  { routes: 'get,Purge cache/{key}', ask: 'POST /cache/a', status: 405, allow: 'GET, HEAD, PURGE, OPTIONS' },
  { routes: 'ANY a; GET b', ask: 'OPTIONS /a', status: 200, by: 'ANY a' },
  { routes: 'ANY a; GET b', ask: 'HEAD /a', status: 200, by: 'ANY a' },
  { routes: 'GET a; ANY a', ask: 'PUT /a', status: 200, by: 'ANY a' },
  { routes: 'GET {page=home}', ask: 'POST /', status: 405, allow: 'GET, HEAD, OPTIONS' },
];

/** A route whose constraint rejects a value does not match the path. */
export const CONSTRAINED: readonly MethodsCase[] = [
  { routes: 'GET n/{id:int}; DELETE n/{id}', ask: 'PUT /n/7', status: 405, allow: 'GET, HEAD, DELETE, OPTIONS' },
  { routes: 'GET n/{id:int}; DELETE n/{id}', ask: 'PUT /n/x', status: 405, allow: 'DELETE, OPTIONS' },
  { routes: 'GET n/{id:int}; DELETE n/{id}', ask: 'HEAD /n/x', status: 405, allow: 'DELETE, OPTIONS' },
  { routes: 'GET n/{id:int}', ask: 'PUT /n/x', status: 404 },
  { routes: 'GET n/{id:even}; PUT n/{id}', ask: 'POST /n/4', status: 405, allow: 'GET, HEAD, PUT, OPTIONS' },
  { routes: 'GET n/{id:even}; PUT n/{id}', ask: 'POST /n/5', status: 405, allow: 'PUT, OPTIONS' },
];

const REST = 'GET items/{id}; POST items/{*rest}; PUT,DELETE items/{*rest}';

/** A route that ends in a catch-all defines methods of a path if it has a method other than GET and HEAD. */
export const WITH_CATCH_ALL: readonly MethodsCase[] = [
  { routes: REST, ask: 'POST /items/5', status: 200, by: 'POST items/{*rest}' },
  { routes: REST, ask: 'POST /items/5/6', status: 200, by: 'POST items/{*rest}' },
  { routes: REST, ask: 'DELETE /items/5', status: 200, by: 'PUT,DELETE items/{*rest}' },
  { routes: REST, ask: 'PATCH /items/5', status: 405, allow: 'GET, HEAD, POST, PUT, DELETE, OPTIONS' },
  { routes: REST, ask: 'GET /items/5/6', status: 405, allow: 'POST, PUT, DELETE, OPTIONS' },
  { routes: 'GET items/{id}; GET items/{*rest}', ask: 'POST /items/5', status: 405, allow: 'GET, HEAD, OPTIONS' },
  { routes: SHELL, ask: 'GET /api/items/7', status: 200, by: 'GET api/items/{id}' },
  { routes: SHELL, ask: 'HEAD /api/items/7', status: 200, by: 'GET api/items/{id}' },
  { routes: SHELL, ask: 'OPTIONS /api/items/7', status: 204, allow: OF_ITEM },
  { routes: SHELL, ask: 'PATCH /api/items', status: 405, allow: OF_ITEMS },
  { routes: SHELL, ask: 'GET /settings/profile', status: 200, by: 'GET {*page}' },
  { routes: SHELL, ask: 'HEAD /settings/profile', status: 404 },
  { routes: SHELL, ask: 'PUT /settings/profile', status: 404 },
  { routes: SHELL, ask: 'OPTIONS /settings/profile', status: 404 },
  { routes: `POST jobs; GET {*page}`, ask: 'GET /jobs', status: 405, allow: 'POST, OPTIONS' },
  { routes: `POST jobs; GET {*page}`, ask: 'HEAD /jobs', status: 405, allow: 'POST, OPTIONS' },
  { routes: NOT_FOUND, ask: 'HEAD /api/items', status: 200, by: 'GET,POST api/items' },
  { routes: NOT_FOUND, ask: 'OPTIONS /api/items', status: 204, allow: OF_ITEMS },
  { routes: NOT_FOUND, ask: 'PUT /api/items', status: 405, allow: OF_ITEMS },
  { routes: NOT_FOUND, ask: 'PUT /nothing', status: 200, by: 'ANY {*path}' },
  { routes: NOT_FOUND, ask: 'HEAD /nothing', status: 200, by: 'ANY {*path}' },
  { routes: NOT_FOUND, ask: 'OPTIONS /nothing', status: 200, by: 'ANY {*path}' },
  { routes: `${ITEMS}; * {*path}`, ask: 'PUT /api/items', status: 405, allow: OF_ITEMS },
  { routes: `${ITEMS}; ANY api/{*path}`, ask: 'PUT /api/items', status: 405, allow: OF_ITEMS },
  {
    routes: `${ITEMS}; GET,PUT,OPTIONS {*path}`,
    ask: 'OPTIONS /api/items',
    status: 200,
    by: 'GET,PUT,OPTIONS {*path}',
  },
  { routes: 'GET files/{*path}', ask: 'PUT /files/a/b', status: 404 },
  { routes: 'GET files/{*path}', ask: 'HEAD /files/a/b', status: 404 },
  { routes: 'GET files/{*path}; PUT files/index', ask: 'POST /files/index', status: 405, allow: 'PUT, OPTIONS' },
  // Before other routes, such a route answers its methods, and later routes do not get them.
  { routes: 'ANY {*path}; GET a', ask: 'PUT /a', status: 200, by: 'ANY {*path}' },
  { routes: 'GET {*path}; GET,POST a', ask: 'PUT /a', status: 405, allow: 'POST, OPTIONS' },
];
