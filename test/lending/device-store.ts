/** A custom store: keeps devices in a `Map`, with promises as a database would. */

import { type Representation, representation, serializer } from '../../src/extending.ts';
import type { Version } from '../../src/http.ts';
import { type Infer, schema } from '../../src/index.ts';
import type { Store } from '../../src/plugins/collection/collection.ts';

export const DEVICE = schema('Device', {
  type: 'object',
  required: ['serial', 'name', 'acquired'],
  properties: {
    serial: { type: 'string', pattern: '^[A-Z]{2}[0-9]{4}$' },
    name: { type: 'string', minLength: 1, maxLength: 80 },
    kind: { type: 'string', enum: ['camera', 'tripod', 'light'], default: 'camera' },
    acquired: { type: 'string', format: 'date' },
  },
});
export type Device = Infer<typeof DEVICE>;

const write = serializer(DEVICE, 'camelCase');

export class DeviceStore implements Store<Device> {
  readonly #devices = new Map<string, { readonly device: Device; readonly version: number }>();
  #version = 0;

  /** Returns a page of the devices of a kind, acquired since a day, in the order of their acquisition. */
  async select({
    kind,
    since = '',
    from,
    size,
  }: Readonly<{ kind?: string; since?: string; from: number; size: number }>) {
    const all = [...this.#devices.values()].map(({ device }) => device);
    const chosen = all.filter((device) => (kind === undefined || device.kind === kind) && device.acquired >= since);
    const items = chosen.sort((left, right) => left.acquired.localeCompare(right.acquired)).slice(from, from + size);
    return { items, hasMore: from + size < chosen.length };
  }

  async list() {
    const texts = [...this.#devices.values()].map(({ device }) => write(device));
    return representation<readonly Device[]>(`[${texts.join(',')}]`, this.#version);
  }

  /** Returns the kind of a device, or undefined for an unknown device. */
  async kind(serial: string): Promise<Device['kind'] | undefined> {
    return this.#devices.get(serial)?.device.kind;
  }

  async get(serial: string) {
    const stored = this.#devices.get(serial);
    return stored && representation<Device>(write(stored.device), stored.version);
  }

  async add(serial: string, device: Device) {
    if (this.#devices.has(serial)) throw new Error(`There is a device with the serial number ${serial}`);
    return this.#set(serial, device);
  }

  async replace(serial: string, device: Device, version?: Version) {
    return this.#has(serial, version) ? this.#set(serial, device) : undefined;
  }

  async remove(serial: string, version?: Version) {
    return this.#has(serial, version) && this.#devices.delete(serial) && ++this.#version > 0;
  }

  #has(serial: string, version: Version | undefined = this.#devices.get(serial)?.version): boolean {
    return version !== undefined && version === this.#devices.get(serial)?.version;
  }

  #set(serial: string, device: Device): Representation<Device> {
    this.#devices.set(serial, { device, version: ++this.#version });
    return representation<Device>(write(device), this.#version);
  }
}
