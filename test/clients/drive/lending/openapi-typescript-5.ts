/** Drives the types that openapi-typescript 5 generated from format version 2.0, through openapi-typescript-fetch. */
import { ApiError, Fetcher } from 'openapi-typescript-fetch';
import { type Client, credentials, type Outcome } from './client.js';
import type { paths } from './generated.js';

export function client(baseUrl: string, token?: string): Client {
  const fetcher = Fetcher.for<paths>();
  fetcher.configure({ baseUrl, init: { headers: credentials(token) } });
  const outcome = (asked: Promise<Outcome>): Promise<Outcome> =>
    asked.then(
      ({ status, data }) => ({ status, data }),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        return { status: error.status, data: error.data };
      },
    );
  const list = fetcher.path('/api/devices').method('get').create();
  const add = fetcher.path('/api/devices').method('post').create();
  const read = fetcher.path('/api/devices/{serial}').method('get').create();
  const change = fetcher.path('/api/devices/{serial}').method('put').create();
  const loan = fetcher.path('/api/devices/{serial}/loan').method('get').create();
  const lend = fetcher.path('/api/devices/{serial}/loan').method('post').create();
  const giveBack = fetcher.path('/api/devices/{serial}/loan').method('delete').create();
  const photo = fetcher.path('/api/devices/{serial}/photo').method('get').create();
  const sendPhoto = fetcher.path('/api/devices/{serial}/photo').method('post').create();
  return {
    list: (query) => outcome(list(query)),
    read: (serial) => outcome(read({ serial })),
    add: (device) => outcome(add(device)),
    change: (serial, device) => outcome(change({ ...device, serial })),
    loan: (serial) => outcome(loan({ serial })),
    lend: (serial, wish) => outcome(lend({ serial, ...wish })),
    giveBack: (serial) => outcome(giveBack({ serial })),
    photo: (serial) => outcome(photo({ serial })),
    sendPhoto: (serial, title, photo) => outcome(sendPhoto({ serial, title, photo } as { serial: string })),
  };
}
