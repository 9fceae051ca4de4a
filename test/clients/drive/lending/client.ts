/** What every client of the lending application can do, whoever generated it. The types are as the documents say. */

export interface Outcome {
  readonly status: number;
  readonly data?: unknown;
}

export interface Device {
  serial: string;
  name: string;
  kind?: 'camera' | 'tripod' | 'light';
  acquired: string;
}

export interface Wish {
  until: string;
  purpose?: 'shoot' | 'training';
}

export interface Query {
  kind?: 'camera' | 'tripod' | 'light';
  since?: string;
  from?: number;
  size?: number;
}

export interface Client {
  list(query: Query): Promise<Outcome>;
  read(serial: string): Promise<Outcome>;
  add(device: Device): Promise<Outcome>;
  change(serial: string, device: Device): Promise<Outcome>;
  loan(serial: string): Promise<Outcome>;
  lend(serial: string, wish: Wish): Promise<Outcome>;
  giveBack(serial: string): Promise<Outcome>;
  /** The bytes as a list of numbers. */
  photo(serial: string): Promise<Outcome>;
  sendPhoto(serial: string, title: string, photo: File): Promise<Outcome>;
}

/** The headers of someone with this token, or of someone without one. */
export const credentials = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { Authorization: `Bearer ${token}` };

export const numbers = async (bytes: Blob | ArrayBuffer): Promise<number[]> => [
  ...new Uint8Array(bytes instanceof Blob ? await bytes.arrayBuffer() : bytes),
];
