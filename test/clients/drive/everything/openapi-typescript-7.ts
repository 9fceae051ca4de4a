/** Drives the types that openapi-typescript 7 generated from OpenAPI 3.1, through openapi-fetch. */
import createClient from 'openapi-fetch';
import type { Client, Outcome } from './client.js';
import type { paths } from './generated.js';
import * as sent from './sent.js';

const token = (secret: string) => ({ headers: { Authorization: `Bearer ${secret}` } });
/** The types do not say how a list is written; the caller has to. */
const listAs = (style: 'form' | 'spaceDelimited' | 'pipeDelimited') => ({
  querySerializer: { array: { style, explode: false } },
});

export function client(baseUrl: string): Client {
  const api = createClient<paths>({ baseUrl, headers: { 'X-API-Key': 'a-key' } });
  const outcome = async (asked: Promise<{ response: Response; data?: unknown; error?: unknown }>): Promise<Outcome> => {
    const { response, data, error } = await asked;
    return { status: response.status, data: data ?? error };
  };
  const bytes = (data: ArrayBuffer | undefined) => data && [...new Uint8Array(data)];
  const readDeclared = (path: typeof sent.declared) =>
    outcome(api.GET('/api/parameters/declared/{day}/{colour}/{text}', { params: { path } }));
  const { id, ids, name, text } = sent.everywhere;
  const list = 3;
  const at = (id: string) => ({ params: { path: { list, id } } });
  return {
    query: () => outcome(api.GET('/api/parameters/query', { params: { query: sent.query } })),
    commas: () => outcome(api.GET('/api/parameters/query', { params: { query: sent.commas }, ...listAs('form') })),
    spaces: () =>
      outcome(api.GET('/api/parameters/query', { params: { query: sent.spaces }, ...listAs('spaceDelimited') })),
    pipes: () =>
      outcome(api.GET('/api/parameters/query', { params: { query: sent.pipes }, ...listAs('pipeDelimited') })),
    headers: () => outcome(api.GET('/api/parameters/headers', { params: { header: sent.headers } })),
    constrained: () =>
      outcome(
        api.GET('/api/parameters/path/{id}/{count}/{level}/{big}/{ratio}/{on}/{word}', {
          params: { path: sent.constrained },
        }),
      ),
    declared: () => readDeclared(sent.declared),
    slash: () => readDeclared(sent.slash),
    list: () => outcome(api.GET('/api/parameters/list/{numbers}', { params: { path: { numbers: sent.list } } })),
    noPage: () => outcome(api.GET('/api/parameters/pages')),
    page: () => outcome(api.GET('/api/parameters/pages/{page}', { params: { path: { page: 4 } } })),
    file: () => outcome(api.GET('/api/parameters/files/{path}', { params: { path: sent.file } })),
    document: () =>
      outcome(api.GET('/api/parameters/documents/{name}.{extension}/{page}', { params: { path: sent.document } })),
    everywhere: () =>
      outcome(
        api.PUT('/api/parameters/everywhere/{id}', {
          params: { path: { id }, query: { ids }, header: { 'X-Name': name } },
          body: { text },
        }),
      ),
    refused: () => outcome(api.GET('/api/parameters/query', { params: { query: { colour: 'red', day: 'tomorrow' } } })),

    texts: () => outcome(api.POST('/api/bodies/texts', { body: { ...sent.texts, password: sent.password } })),
    nulls: () => outcome(api.POST('/api/bodies/texts', { body: sent.nulls })),
    numbers: () => outcome(api.POST('/api/bodies/numbers', { body: sent.numbers })),
    lists: () => outcome(api.POST('/api/bodies/lists', { body: sent.lists })),
    drawing: () => outcome(api.POST('/api/bodies/drawings', { body: sent.drawing })),
    async shape() {
      const { response, data } = await api.POST('/api/bodies/shapes', { body: sent.circle });
      // The discriminator tells the compiler which shape it is.
      const size = data?.kind === 'circle' ? data.radius : data?.side;
      return { status: response.status, data: { ...data, radius: size } };
    },
    tree: () => outcome(api.POST('/api/bodies/trees', { body: sent.tree })),
    chain: () => outcome(api.POST('/api/bodies/chains', { body: sent.chain })),

    names: () => outcome(api.POST('/api/bodies/names', { body: sent.names })),

    rows: () => outcome(api.GET('/api/answers/rows')),
    rowsAsCsv: () => outcome(api.GET('/api/answers/rows', { headers: sent.csv, parseAs: 'text' })),
    async rowsAsBytes() {
      const { response, data } = await api.GET('/api/answers/rows', { headers: sent.bytes, parseAs: 'arrayBuffer' });
      return { status: response.status, data: bytes(data) };
    },
    async picture() {
      const { response, data } = await api.GET('/api/answers/picture', { parseAs: 'arrayBuffer' });
      return { status: response.status, data: { bytes: bytes(data), size: response.headers.get('X-Size') } };
    },
    samePicture: () => outcome(api.GET('/api/answers/picture', { headers: sent.anyTag })),
    anotherPicture: () => outcome(api.GET('/api/answers/picture', { headers: sent.anotherTag })),
    async events() {
      const { response, data } = await api.GET('/api/answers/events', { parseAs: 'stream' });
      return { status: response.status, data: await new Response(data).text() };
    },
    place: () => outcome(api.GET('/api/answers/place')),
    note: () => outcome(api.GET('/api/answers/note', { parseAs: 'text' })),

    person: () => outcome(api.GET('/api/secrets/person', token('a-token'))),
    either: () => outcome(api.GET('/api/secrets/either')),
    link: () => outcome(api.GET('/api/secrets/link', { querySerializer: () => 'key=a-key' })),
    password: () => outcome(api.GET('/api/secrets/password', { headers: { Authorization: sent.basic } })),
    open: () => outcome(createClient<paths>({ baseUrl }).GET('/api/secrets/open')),
    admin: () => outcome(api.DELETE('/api/secrets', token('an-admin-token'))),
    forbidden: () => outcome(api.DELETE('/api/secrets', token('a-token'))),

    listTasks: () => outcome(api.GET('/api/lists/{list}/tasks', { params: { path: { list } } })),
    addTask: () => outcome(api.POST('/api/lists/{list}/tasks', { params: { path: { list } }, body: sent.task })),
    readTask: (id) => outcome(api.GET('/api/lists/{list}/tasks/{id}', at(id))),
    replaceTask: (id) => outcome(api.PUT('/api/lists/{list}/tasks/{id}', { ...at(id), body: sent.doneTask })),
    updateTask: (id) => outcome(api.PATCH('/api/lists/{list}/tasks/{id}', { ...at(id), body: { text: 'Walk' } })),
    removeTask: (id) => outcome(api.DELETE('/api/lists/{list}/tasks/{id}', at(id))),
  };
}
