/**
 * Sets of routes as REST services have them, and requests for them; the same for every router and every run.
 *
 * Ten routes a resource: list, create, a literal beside a parameter, an item by four methods, what belongs to an item,
 * and a catch-all. No route is shadowed by an earlier one, so that a tree and an ordered list must agree.
 */

const KINDS = [
  'active',
  'billing',
  'cached',
  'daily',
  'edge',
  'final',
  'global',
  'hosted',
  'inbound',
  'joined',
  'known',
  'local',
  'monthly',
  'nested',
  'open',
  'public',
];
const THINGS = [
  'users',
  'orders',
  'items',
  'carts',
  'products',
  'payments',
  'reports',
  'teams',
  'projects',
  'tasks',
  'events',
  'messages',
  'threads',
  'comments',
  'files',
  'images',
];
const PARTS = ['members', 'history', 'settings', 'versions', 'entries', 'links', 'tags', 'logs'];

const resource = (at) =>
  at < THINGS.length
    ? THINGS[at]
    : `${KINDS[at % KINDS.length]}-${THINGS[Math.floor(at / KINDS.length) % THINGS.length]}${Math.floor(at / 256) || ''}`;

/** So many routes: method and segments; `:name` is a parameter, `*name` a catch-all. */
export function restRoutes(count) {
  const routes = [];
  for (let at = 0; routes.length < count; at++) {
    const list = ['api', resource(at)];
    const part = PARTS[at % PARTS.length];
    const one = [...list, ':id'];
    routes.push(
      ['GET', list],
      ['POST', list],
      ['GET', [...list, 'search']],
      ['GET', one],
      ['PUT', one],
      ['PATCH', one],
      ['DELETE', one],
      ['GET', [...one, part]],
      ['GET', [...one, part, ':subId']],
      ['GET', ['static', resource(at), '*rest']],
    );
  }
  return count === 1 ? [['GET', ['api', 'users', ':id']]] : routes.slice(0, count);
}

/** A generator of numbers below one that gives every router the same requests. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Requests by kind of load: method, path and, where one is meant to be found, the position and the values of its route.
 */
export function requestsFor(routes, count = 2048) {
  const next = numbers(7);
  const upTo = (limit) => Math.floor(next() * limit);
  const filled = (position) => {
    const [method, segments] = routes[position];
    const values = {};
    const path = segments.map((segment) => {
      if (!/^[:*]/.test(segment)) return segment;
      return (values[segment.slice(1)] =
        segment[0] === ':' ? String(1 + upTo(99_999)) : `assets/${upTo(999)}/app.min.js`);
    });
    return { method, path: `/${path.join('/')}`, position, values };
  };
  const any = () => filled(upTo(routes.length));
  const readers = routes.flatMap(([method, segments], position) =>
    method === 'GET' && segments.length === 3 && segments[2] === ':id' ? [position] : [],
  );
  const misses = [
    () => `/api/unknown/${upTo(99_999)}`,
    () => `/nothing/here/${upTo(99_999)}`,
    () =>
      any()
        .path.replace(/^\/(?:static)?/, '/no/')
        .concat('/such/tail'),
    () => any().path.replace(/^\/(\w)\w*/, '/$1'),
  ];
  const many = (make) => Array.from({ length: count }, (_, at) => make(at));
  return {
    mixed: many(any),
    first: many(() => filled(readers[0])),
    last: many(() => filled(readers.at(-1))),
    miss: many((at) => ({ method: 'GET', path: misses[at % misses.length]() })),
  };
}
