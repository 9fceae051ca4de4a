/** Asks the programs of each library through its own test helper. */
export const LIBRARIES = ['own', 'fastify', 'hono'];

/** The application that a program exports, asked: the reply is a `Response`. */
export const ASK = {
  own: (app, { path, method, headers, json, body }) => app.request(path, { method, headers, json, body }),
  async fastify(app, { path, method, headers, json, body }) {
    const made = body === undefined ? undefined : new Response(body);
    const reply = await app.inject({
      method: method ?? 'GET',
      url: path,
      headers: { ...headers, ...(made && { 'Content-Type': made.headers.get('Content-Type') }) },
      ...(json !== undefined && { payload: json }),
      ...(made && { payload: Buffer.from(await made.arrayBuffer()) }),
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

/** Opens a stream of events: its media type, each event in turn, and how to leave. */
export const OPEN = {
  own: async (app, path, headers) => eventsOf(await app.request(path, { headers })),
  /** Over a socket: a client that leaves a reply of `inject` is not seen by the handler. */
  async fastify(app, path, headers) {
    if (!app.server.listening) await app.listen({ port: 0 });
    return eventsOf(await fetch(`http://127.0.0.1:${app.server.address().port}${path}`, { headers }));
  },
  hono: async (app, path, headers) => eventsOf(await app.request(path, { headers })),
};

function eventsOf(reply) {
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    mediaType: reply.headers.get('Content-Type'),
    leave: () => reader.cancel(),
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end < 0) {
          text += (await reader.read()).value;
          continue;
        }
        const fields = text
          .slice(0, end)
          .split('\n')
          .filter((line) => line !== '' && !line.startsWith(':'));
        text = text.slice(end + 2);
        if (fields.length > 0) return Object.fromEntries(fields.map((line) => line.split(/: (.*)/s)));
      }
    },
  };
}
