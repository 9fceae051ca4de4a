/** Drives the types that openapi-typescript 5 generated from format version 2.0, through openapi-typescript-fetch. */
import { ApiError, Fetcher } from 'openapi-typescript-fetch';
import type { Client, Outcome } from './client.js';
import type { paths } from './generated.js';
import { plain, wire } from './names.js';

export function client(baseUrl: string): Client {
  const fetcher = Fetcher.for<paths>();
  fetcher.configure({ baseUrl });
  const list = fetcher.path('/api/todo').method('get').create();
  const post = fetcher.path('/api/todo').method('post').create();
  const get = fetcher.path('/api/todo/{id}').method('get').create();
  const put = fetcher.path('/api/todo/{id}').method('put').create();
  const patch = fetcher.path('/api/todo/{id}').method('patch').create();
  const remove = fetcher.path('/api/todo/{id}').method('delete').create();
  const outcome = <Sent, Data>(
    asked: Promise<{ status: number; data: Sent }>,
    read: (data: Sent) => Data,
  ): Promise<Outcome<Data>> =>
    asked.then(
      ({ status, data }) => ({ status, data: read(data) }),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        return { status: error.status };
      },
    );
  const nothing = (): undefined => undefined;
  return {
    list: () => outcome(list({}), (items) => items.map(plain)),
    get: (id) => outcome(get({ id }), plain),
    post: (item) => outcome(post(wire(item)), plain),
    put: (id, item) => outcome(put({ id, ...wire(item) }), nothing),
    patch: (id, item) => outcome(patch({ id, ...wire(item) }), nothing),
    delete: (id) => outcome(remove({ id }), nothing),
  };
}
