/**
 * The routers that are measured: each takes routes in the form of `library/route-sets.mjs` and says how to find one.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(new URL('../peers/package.json', import.meta.url));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const pathOf = (segments) => `/${segments.join('/')}`;

/** `find(method, path)` gives what the router gives; `told(result)` position and values, or undefined. */
export const ROUTERS = {
  async ours(routes) {
    const { route } = await import(process.env.BENCH_MODULES + '/index.js');
    const { RouteCollection } = await import(process.env.BENCH_MODULES + '/http.js');
    const templates = routes.map(([, segments]) =>
      segments.map((segment) => segment.replace(/^:(.*)/, '{$1}').replace(/^\*(.*)/, '{*$1}')).join('/'),
    );
    return {
      build: () =>
        new RouteCollection().add(
          ...routes.map(([method], position) =>
            route({ method, path: templates[position], dataTokens: { position }, handle: () => position }),
          ),
        ),
      find: (collection) => (method, path) => collection.find(method, path),
      told: (match) => match && { position: match.route.dataTokens.position, values: match.values },
    };
  },
  async memoirist(routes) {
    const { Memoirist } = await load('memoirist');
    return {
      build() {
        const router = new Memoirist();
        for (const [position, [method, segments]] of routes.entries())
          router.add(method, pathOf(segments).replace(/\*\w+/, '*'), position);
        return router;
      },
      find: (router) => (method, path) => router.find(method, path),
      told: (match) => match && { position: match.store, values: withRest(match.params) },
    };
  },
};

const withRest = ({ '*': rest, ...values }) => (rest === undefined ? values : { ...values, rest });
