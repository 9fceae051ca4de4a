/** A plugin for the service: as many routes as `BENCH_ROUTES` says. */
import { restRoutes } from '../library/route-sets.mjs';

const { route, text } = await import(`${process.env.BENCH_MODULES}/index.js`);
const templateOf = (segments) =>
  segments.map((segment) => segment.replace(/^:(.*)/, '{$1}').replace(/^\*(.*)/, '{*$1}')).join('/');

export default {
  name: 'many-routes',
  routes: restRoutes(Number(process.env.BENCH_ROUTES)).map(([method, segments]) =>
    route({ method, path: templateOf(segments), handle: () => text('here') }),
  ),
};
