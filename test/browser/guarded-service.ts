/** A service whose operations require credentials, with a page for each of its two documents. */

import { HttpService } from '../../src/extending.ts';
import { application, ok, operation, routesOf, type Security } from '../../src/index.ts';
import { description } from '../../src/plugins/description/description.ts';
import { swaggerPage } from '../../src/plugins/swagger-page/swagger-page.ts';
import { apiKeys, authentication, bearerTokens } from '../../src/shelf/authentication/authentication.ts';
import type { Running } from './running.ts';

const tokens = bearerTokens({ 'ann-token': { identity: 'Ann', roles: ['admin'] }, 'bob-token': { identity: 'Bob' } });
const headerKeys = apiKeys({ 'cy-key': { identity: 'Cy' } });
const queryKeys = apiKeys({ 'dan&key': { identity: 'Dan' } }, { name: 'QueryKey', in: 'query', parameter: 'key' });
const schemes = [tokens, headerKeys, queryKeys];

/** An operation that answers with the name of its caller. */
const whoami = (path: string, security: Security) =>
  operation({
    method: 'GET',
    path,
    security,
    responses: { 200: { description: 'Who calls', schema: { type: 'string' } } },
    handle: ({ context }) =>
      ok(schemes.map((scheme) => scheme.identity.find(context)).find((name) => name !== undefined) ?? 'anyone'),
  });

const guarded = {
  name: 'guarded',
  routes: routesOf({
    name: 'Guarded',
    path: 'guarded',
    operations: [
      whoami('open', []),
      whoami('token', [tokens]),
      whoami('admin', [{ scheme: tokens, roles: ['admin'] }]),
      whoami('header-key', [headerKeys]),
      whoami('query-key', [queryKeys]),
      whoami('any', schemes),
    ],
  }),
};

/** Starts the service on a free port: Swagger 2.0 at `/swagger/ui`, OpenAPI 3.1 at `/openapi/ui`. */
export async function guardedService(): Promise<Running> {
  const openApiPage = swaggerPage({ path: 'openapi/ui', document: 'swagger/v1/openapi.json' });
  const { handler, refuse, start, stop } = application([
    authentication(...schemes),
    guarded,
    description({ title: 'Guarded' }),
    swaggerPage(),
    { ...openApiPage, name: 'openapi-page' },
  ]);
  await start();
  const service = new HttpService({ handler, refuse });
  const { port } = await service.listen(0, '127.0.0.1');
  return {
    port,
    async stop() {
      await service.close();
      await stop();
    },
  };
}
