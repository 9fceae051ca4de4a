/** Drives the client that swagger-typescript-api generated. */
import { type Client, credentials, numbers, type Outcome } from './client.js';
import { Api } from './generated.js';

export function client(baseUrl: string, token?: string): Client {
  const { api } = new Api({ baseUrl, securityWorker: () => ({ headers: credentials(token) }) });
  const outcome = (asked: Promise<Outcome>): Promise<Outcome> =>
    asked.then(
      ({ status, data }) => ({ status, data: data ?? undefined }),
      (answered: Response & { error: unknown }) => {
        if (!(answered instanceof Response)) throw answered;
        return { status: answered.status, data: answered.error };
      },
    );
  return {
    list: (query) => outcome(api.apiDevicesGet(query)),
    read: (serial) => outcome(api.apiDevicesBySerialGet(serial)),
    add: (device) => outcome(api.apiDevicesPost(device)),
    change: (serial, device) => outcome(api.apiDevicesBySerialPut(serial, device)),
    loan: (serial) => outcome(api.apiDevicesBySerialLoanGet(serial)),
    lend: (serial, wish) => outcome(api.apiDevicesBySerialLoanPost(serial, wish)),
    giveBack: (serial) => outcome(api.apiDevicesBySerialLoanDelete(serial)),
    photo: (serial) =>
      outcome(
        api
          .apiDevicesBySerialPhotoGet(serial)
          .then(async ({ status, data }) => ({ status, data: await numbers(data) })),
      ),
    sendPhoto: (serial, title, photo) => outcome(api.apiDevicesBySerialPhotoPost(serial, { title, photo })),
  };
}
