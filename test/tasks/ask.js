/** Asks the programs of each library through its own test helper. */
export const LIBRARIES = ['own', 'fastify', 'hono'];

/** The application that a program exports, asked: the reply is a `Response`. */
export const ASK = {
  own: (app, { path, method, headers, json, body }) => app.request(path, { method, headers, json, body }),
  async fastify(app, { path, method, headers, json, body, signal }) {
    const made = body === undefined ? undefined : new Response(body);
    const reply = await app.inject({
      method: method ?? 'GET',
      url: path,
      headers: { ...headers, ...(made && { 'Content-Type': made.headers.get('Content-Type') }) },
      ...(json !== undefined && { payload: json }),
      ...(made && { payload: Buffer.from(await made.arrayBuffer()) }),
      signal,
    });
    return new Response([204, 304].includes(reply.statusCode) ? null : reply.rawPayload, {
      status: reply.statusCode,
      headers: Object.entries(reply.headers).map(([name, value]) => [name, String(value)]),
    });
  },
  hono: (app, { path, method, headers, json, body }) =>
    app.request(path, {
      method,
      headers: { ...headers, ...(json !== undefined && { 'Content-Type': 'application/json' }) },
      body: json === undefined ? body : JSON.stringify(json),
    }),
};

const PATHS = { own: '/swagger/v1/openapi.json', fastify: '/openapi.json', hono: '/openapi.json' };

/** The OpenAPI document that a program serves. */
export const documentOf = async (library, app) => (await ASK[library](app, { path: PATHS[library] })).json();
