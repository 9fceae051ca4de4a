/** Drives the client that swagger-typescript-api generated. */

import type { Client, Outcome } from './client.js';
import { Api } from './generated.js';
import { plain, wire } from './names.js';

export function client(baseUrl: string): Client {
  const { api } = new Api({ baseUrl });
  const outcome = <Sent, Data>(
    asked: Promise<{ status: number; data: Sent }>,
    read: (data: Sent) => Data,
  ): Promise<Outcome<Data>> =>
    asked.then(
      ({ status, data }) => ({ status, data: read(data) }),
      (answered: Response) => {
        if (!(answered instanceof Response)) throw answered;
        return { status: answered.status };
      },
    );
  const nothing = (): undefined => undefined;
  return {
    list: () => outcome(api.apiTodoGet(), (items) => items.map(plain)),
    get: (id) => outcome(api.apiTodoByIdGet(id), plain),
    post: (item) => outcome(api.apiTodoPost(wire(item)), plain),
    put: (id, item) => outcome(api.apiTodoByIdPut(id, wire(item)), nothing),
    patch: (id, item) => outcome(api.apiTodoByIdPatch(id, wire(item)), nothing),
    delete: (id) => outcome(api.apiTodoByIdDelete(id), nothing),
  };
}
