/** Drives the types that openapi-typescript 7 generated from OpenAPI 3.1, through openapi-fetch. */
import createClient from 'openapi-fetch';
import type { Client, Outcome } from './client.js';
import type { paths } from './generated.js';
import { plain, wire } from './names.js';

export function client(baseUrl: string): Client {
  const api = createClient<paths>({ baseUrl });
  const at = (id: string) => ({ params: { path: { id } } });
  const outcome = async <Sent, Data>(
    asked: Promise<{ response: Response; data?: Sent }>,
    read: (data: Sent) => Data,
  ): Promise<Outcome<Data>> => {
    const { response, data } = await asked;
    return response.ok && data !== undefined
      ? { status: response.status, data: read(data) }
      : { status: response.status };
  };
  const nothing = (): undefined => undefined;
  return {
    list: () => outcome(api.GET('/api/todo'), (items) => items.map(plain)),
    get: (id) => outcome(api.GET('/api/todo/{id}', at(id)), plain),
    post: (item) => outcome(api.POST('/api/todo', { body: wire(item) }), plain),
    put: (id, item) => outcome(api.PUT('/api/todo/{id}', { ...at(id), body: wire(item) }), nothing),
    patch: (id, item) => outcome(api.PATCH('/api/todo/{id}', { ...at(id), body: wire(item) }), nothing),
    delete: (id) => outcome(api.DELETE('/api/todo/{id}', at(id)), nothing),
  };
}
