/** Drives the types that openapi-typescript 5 generated from format version 2.0, through openapi-typescript-fetch. */
import { ApiError, arrayRequestBody, Fetcher } from 'openapi-typescript-fetch';
import type { Client, Outcome } from './client.js';
import type { definitions, paths } from './generated.js';
import * as sent from './sent.js';

const token = (secret: string) => ({ headers: { Authorization: `Bearer ${secret}` } });

export function client(baseUrl: string): Client {
  const fetcher = Fetcher.for<paths>();
  fetcher.configure({ baseUrl, init: { headers: { 'X-API-Key': 'a-key' } } });
  const withoutKey = Fetcher.for<paths>();
  withoutKey.configure({ baseUrl });
  const outcome = (asked: Promise<Outcome>): Promise<Outcome> =>
    asked.then(
      ({ status, data }) => ({ status, data }),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        return { status: error.status, data: error.data };
      },
    );
  const query = fetcher.path('/api/parameters/query').method('get').create();
  const headers = fetcher.path('/api/parameters/headers').method('get').create();
  const constrained = fetcher
    .path('/api/parameters/path/{id}/{count}/{level}/{big}/{ratio}/{on}/{word}')
    .method('get')
    .create();
  const declared = fetcher.path('/api/parameters/declared/{day}/{colour}/{text}').method('get').create();
  const readList = fetcher.path('/api/parameters/list/{numbers}').method('get').create();
  const noPage = fetcher.path('/api/parameters/pages').method('get').create();
  const page = fetcher.path('/api/parameters/pages/{page}').method('get').create();
  const file = fetcher.path('/api/parameters/files/{path}').method('get').create();
  const document = fetcher.path('/api/parameters/documents/{name}.{extension}/{page}').method('get').create();
  const everywhere = fetcher.path('/api/parameters/everywhere/{id}').method('put').create({ ids: 1 });
  const texts = fetcher.path('/api/bodies/texts').method('post').create();
  const numbers = fetcher.path('/api/bodies/numbers').method('post').create();
  const lists = fetcher.path('/api/bodies/lists').method('post').create();
  const drawing = fetcher.path('/api/bodies/drawings').method('post').create();
  const shape = fetcher.path('/api/bodies/shapes').method('post').create();
  const tree = fetcher.path('/api/bodies/trees').method('post').create();
  const chain = fetcher.path('/api/bodies/chains').method('post').create();
  const names = fetcher.path('/api/bodies/names').method('post').create();
  const rows = fetcher.path('/api/answers/rows').method('get').create();
  const picture = fetcher.path('/api/answers/picture').method('get').create();
  const events = fetcher.path('/api/answers/events').method('get').create();
  const place = fetcher.path('/api/answers/place').method('get').create();
  const note = fetcher.path('/api/answers/note').method('get').create();
  const person = fetcher.path('/api/secrets/person').method('get').create();
  const either = fetcher.path('/api/secrets/either').method('get').create();
  const link = fetcher.path('/api/secrets/link').method('get').create();
  const password = fetcher.path('/api/secrets/password').method('get').create();
  const open = withoutKey.path('/api/secrets/open').method('get').create();
  const removeSecrets = fetcher.path('/api/secrets').method('delete').create();
  const listTasks = fetcher.path('/api/lists/{list}/tasks').method('get').create();
  const addTask = fetcher.path('/api/lists/{list}/tasks').method('post').create();
  const readTask = fetcher.path('/api/lists/{list}/tasks/{id}').method('get').create();
  const replaceTask = fetcher.path('/api/lists/{list}/tasks/{id}').method('put').create();
  const updateTask = fetcher.path('/api/lists/{list}/tasks/{id}').method('patch').create();
  const removeTask = fetcher.path('/api/lists/{list}/tasks/{id}').method('delete').create();

  const { id, ids, text } = sent.everywhere;
  const list = 5;
  const key = { key: 'a-key' };
  return {
    query: () => outcome(query(sent.query)),
    commas: () => outcome(query(sent.commas)),
    spaces: () => outcome(query(sent.spaces)),
    pipes: () => outcome(query(sent.pipes)),
    headers: () => outcome(headers({}, { headers: sent.headerTexts })),
    constrained: () => outcome(constrained(sent.constrained)),
    declared: () => outcome(declared(sent.declared)),
    slash: () => outcome(declared(sent.slash)),
    list: () => outcome(readList({ numbers: sent.list })),
    noPage: () => outcome(noPage({})),
    page: () => outcome(page({ page: 4 })),
    file: () => outcome(file(sent.file)),
    document: () => outcome(document(sent.document)),
    everywhere: () => outcome(everywhere({ id, ids, text }, { headers: { 'X-Name': sent.everywhere.name } })),
    refused: () => outcome(query({ colour: 'red', day: 'tomorrow' })),

    texts: () => outcome(texts({ ...sent.texts, password: sent.password })),
    nulls: () => outcome(texts(sent.nulls as unknown as definitions['Texts'])),
    numbers: () => outcome(numbers(sent.numbers)),
    lists: () => outcome(lists(sent.lists)),
    drawing: () => outcome(drawing(sent.drawing)),
    shape: () => outcome(shape(sent.circle)),
    tree: () => outcome(tree(sent.tree)),
    chain: () => outcome(chain(sent.chain)),

    names: () => outcome(names(arrayRequestBody(sent.names))),

    rows: () => outcome(rows({})),
    rowsAsCsv: () => outcome(rows({}, { headers: sent.csv })),
    rowsAsBytes: () => outcome(rows({}, { headers: sent.bytes })),
    async picture() {
      const { status, data, headers } = await picture({});
      return { status, data: { bytes: data, size: headers.get('X-Size') } };
    },
    samePicture: () => outcome(picture({}, { headers: sent.anyTag })),
    anotherPicture: () => outcome(picture({}, { headers: sent.anotherTag })),
    events: () => outcome(events({})),
    place: () => outcome(place({})),
    note: () => outcome(note({})),

    person: () => outcome(person({}, token('a-token'))),
    either: () => outcome(either({})),
    link: () => outcome(link(key)),
    password: () => outcome(password({}, { headers: { Authorization: sent.basic } })),
    open: () => outcome(open({})),
    admin: () => outcome(removeSecrets({}, token('an-admin-token'))),
    forbidden: () => outcome(removeSecrets({}, token('a-token'))),

    listTasks: () => outcome(listTasks({ list })),
    addTask: () => outcome(addTask({ list, ...sent.task })),
    readTask: (id) => outcome(readTask({ list, id })),
    replaceTask: (id) => outcome(replaceTask({ list, id, ...sent.doneTask })),
    updateTask: (id) => outcome(updateTask({ list, id, text: 'Walk' })),
    removeTask: (id) => outcome(removeTask({ list, id })),
  };
}
