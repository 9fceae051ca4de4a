/** Drives the types that openapi-typescript 7 generated from OpenAPI 3.1, through openapi-fetch. */
import createClient from 'openapi-fetch';
import { type Client, credentials, numbers, type Outcome } from './client.js';
import type { components, paths } from './generated.js';

type Sent<Name extends keyof components['schemas']> = components['schemas'][Name];

export function client(baseUrl: string, token?: string): Client {
  const api = createClient<paths>({ baseUrl, headers: credentials(token) });
  const at = (serial: string) => ({ params: { path: { serial } } });
  const outcome = async (asked: Promise<{ response: Response; data?: unknown; error?: unknown }>): Promise<Outcome> => {
    const { response, data, error } = await asked;
    return { status: response.status, data: data ?? error };
  };
  return {
    list: (query) => outcome(api.GET('/api/devices', { params: { query } })),
    read: (serial) => outcome(api.GET('/api/devices/{serial}', at(serial))),
    // The types ask for what has a default.
    add: (device) => outcome(api.POST('/api/devices', { body: device as Sent<'Device'> })),
    change: (serial, device) =>
      outcome(api.PUT('/api/devices/{serial}', { ...at(serial), body: device as Sent<'Device'> })),
    loan: (serial) => outcome(api.GET('/api/devices/{serial}/loan', at(serial))),
    lend: (serial, wish) =>
      outcome(api.POST('/api/devices/{serial}/loan', { ...at(serial), body: wish as Sent<'Wish'> })),
    giveBack: (serial) => outcome(api.DELETE('/api/devices/{serial}/loan', at(serial))),
    async photo(serial) {
      const { response, data } = await api.GET('/api/devices/{serial}/photo', {
        ...at(serial),
        parseAs: 'arrayBuffer',
      });
      return { status: response.status, data: data && (await numbers(data)) };
    },
    sendPhoto(serial, title, photo) {
      const form = new FormData();
      form.set('title', title);
      form.set('photo', photo);
      const asked = api.POST('/api/devices/{serial}/photo', {
        ...at(serial),
        body: { title, photo: '' },
        bodySerializer: () => form,
      });
      return outcome(asked);
    },
  };
}
