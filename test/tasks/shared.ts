/** What the programs of all three libraries use alike: users, devices, news, and a place to keep things. */
import { EventEmitter } from 'node:events';

export interface User {
  readonly name: string;
  readonly department: 'film' | 'news';
}

export interface Holder {
  readonly identity: User;
  readonly roles: readonly string[];
}

/** Who holds which token. */
export const HOLDERS: ReadonlyMap<string, Holder> = new Map<string, Holder>([
  ['ada', { identity: { name: 'Ada', department: 'film' }, roles: ['keeper'] }],
  ['bob', { identity: { name: 'Bob', department: 'news' }, roles: [] }],
]);

/** Serial numbers of devices, and their names. One has characters that a path cannot have as they are. */
export const DEVICES: ReadonlyMap<string, string> = new Map([
  ['AB1', 'Camera'],
  ['A/B ü', 'Tripod'],
]);

export interface News {
  readonly id: string;
  readonly event: 'loan' | 'return';
  readonly data: { readonly serial: string };
}

/** What has been told, and `news` for what is. */
export class Newsroom extends EventEmitter<{ news: [News] }> {
  readonly told: News[] = [];

  tell(event: News['event'], serial: string): void {
    const news: News = { id: String(this.told.length + 1), event, data: { serial } };
    this.told.push(news);
    this.emit('news', news);
  }
}

/** Keeps texts by key with the version of each, as a database does: with promises, and it can be down. */
export class Shelf {
  isDown = false;
  #version = 0;
  readonly #rows = new Map<string, { readonly text: string; readonly version: number }>();

  async read(key: string): Promise<{ readonly text: string; readonly version: number } | undefined> {
    return this.#reached().get(key);
  }

  /** Returns the new version; undefined if a version is expected and the text has another, or is not there. */
  async write(key: string, text: string, expected?: number | 'any'): Promise<number | undefined> {
    if (!this.#hasVersion(key, expected)) return undefined;
    this.#reached().set(key, { text, version: ++this.#version });
    return this.#version;
  }

  async erase(key: string, expected: number | 'any' = 'any'): Promise<boolean> {
    return this.#hasVersion(key, expected) && this.#reached().delete(key) && ++this.#version > 0;
  }

  async all(): Promise<{ readonly texts: readonly string[]; readonly version: number }> {
    return { texts: [...this.#reached().values()].map(({ text }) => text), version: this.#version };
  }

  #hasVersion(key: string, expected: number | 'any' | undefined): boolean {
    const row = this.#reached().get(key);
    return expected === undefined || (row !== undefined && (expected === 'any' || row.version === expected));
  }

  #reached() {
    if (this.isDown) throw new Error('The shelf is down');
    return this.#rows;
  }
}
