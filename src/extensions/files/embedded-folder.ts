/**
 * A folder of files that a program carries inside itself, for one that is bundled into a single file.
 *
 * The files are compressed with Brotli. The first request for a file decompresses it and compresses it with gzip: over
 * a connection that is not encrypted, browsers take no Brotli.
 */
import { promisify } from 'node:util';
import { brotliDecompress, gzip } from 'node:zlib';
import { mediaTypeOf } from '../../http.ts';
import { type ServedFile, variant } from './file-reply.ts';
import type { LoadOptions } from './folder.ts';

/** The files of a folder as a value: JSON, as a bundler puts it into a program. */
export interface EmbeddedFiles {
  /** When they were last changed, in milliseconds since 1970. */
  readonly modified: number;
  /** By name, each in base64. */
  readonly files: Readonly<Record<string, EmbeddedFile>>;
}

/** One file. */
export interface EmbeddedFile {
  /** Is it compressed with Brotli? A file that does not get shorter is not. */
  readonly brotli: boolean;
  readonly base64: string;
}

/** Answers as `Folder` does. */
export class EmbeddedFolder {
  /** What messages name in the place of a path. */
  readonly root = 'the files in this program';
  readonly #embedded: EmbeddedFiles;
  readonly #headers: LoadOptions['headers'];
  readonly #found = new Map<string, ServedFile | Promise<ServedFile>>();

  constructor(embedded: EmbeddedFiles, { headers }: Pick<LoadOptions, 'headers'>) {
    this.#embedded = embedded;
    this.#headers = headers;
  }

  /**
   * The file with this name; undefined when there is none. A promise while it is decompressed, which rejects for bytes
   * that are no Brotli.
   */
  find(name: string): ServedFile | undefined | Promise<ServedFile> {
    const found = this.#found.get(name);
    if (found !== undefined || !Object.hasOwn(this.#embedded.files, name)) return found;
    const unpacking = this.#unpack(name, this.#embedded.files[name]!);
    this.#found.set(name, unpacking);
    // A file that cannot be decompressed fails each request for it.
    unpacking.then(
      (file) => this.#found.set(name, file),
      () => this.#found.delete(name),
    );
    return unpacking;
  }

  async #unpack(name: string, { brotli, base64 }: EmbeddedFile): Promise<ServedFile> {
    const content = Buffer.from(base64, 'base64');
    const shared = { mediaType: mediaTypeOf(name), mtimeMs: this.#embedded.modified, headers: this.#headers };
    const made = (bytes: Uint8Array, coding?: 'br' | 'gzip') =>
      variant({ ...shared, name, bytes, length: bytes.length, coding, varies: brotli });
    if (!brotli) return { identity: made(content), encoded: {}, codings: [] };
    const identity = await promisify(brotliDecompress)(content);
    const gzipped = await promisify(gzip)(identity);
    const encoded = { br: made(content, 'br'), gzip: made(gzipped, 'gzip') };
    return { identity: made(identity), encoded, codings: ['br', 'gzip'] };
  }
}
