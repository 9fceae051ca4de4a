/** Links to one item: by the route's name in a collection of many named routes, and written by hand. */
import { takeTurns, timed } from './turn.mjs';

const { route } = await import(`${process.env.BENCH_MODULES}/index.js`);
const { RouteCollection } = await import(`${process.env.BENCH_MODULES}/http.js`);
const handle = () => undefined;
const named = Array.from({ length: Number(process.env.BENCH_ROUTES) - 1 }, (_, at) =>
  route({ path: `api/thing${at}/{id}`, name: `ThingById${at}`, handle }),
);
const routes = new RouteCollection().add(...named, route({ path: 'api/todo/{id}', name: 'ApiTodoByIdGet', handle }));
const keys = Array.from({ length: 1024 }, (_, at) => `7d9f6a4e-0c2b-4a59-9a3d-${String(at).padStart(12, '0')}`);
const kept = new Array(64);

const ways = {
  ours: (id) => routes.link({ id }, { name: 'ApiTodoByIdGet' }).path,
  'by hand': (id) => `/api/todo/${encodeURIComponent(id)}`,
};
for (const make of Object.values(ways))
  if (make(keys[0]) !== `/api/todo/${keys[0]}`) throw new Error(`The link is ${make(keys[0])}`);

takeTurns(({ way, milliseconds }) => {
  const make = ways[way];
  const batch = () => {
    for (let at = 0; at < keys.length; at++) kept[at & 63] = make(keys[at]);
    return keys.length;
  };
  return { nanoseconds: timed(batch, milliseconds) };
});
