/**
 * A folder of files that a program carries inside itself, for a program that is bundled into a single file. It answers
 * as `Folder` does.
 */
import { promisify } from 'node:util';
import type { Coding } from '../../core/message/headers/negotiation.ts';
import { mediaTypeOf } from './file-headers.ts';
import { type ServedFile, variant } from './file-reply.ts';

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

/**
 * The first request for a file that is compressed with Brotli decompresses it and compresses it with gzip: over a
 * connection that is not encrypted, browsers take no Brotli.
 */
export class EmbeddedFolder {
  /** What messages name in the place of a path. */
  readonly root = 'the files in this program';
  readonly #embedded: EmbeddedFiles;
  readonly #headers: readonly string[];
  readonly #found = new Map<string, Promise<ServedFile>>();

  /** `headers` are further ones of every reply, as a flat list. */
  constructor(embedded: EmbeddedFiles, { headers }: { readonly headers: readonly string[] }) {
    this.#embedded = embedded;
    this.#headers = headers;
  }

  /** Returns the file with this name; undefined if there is no such file. Rejects for bytes that are not Brotli. */
  find(name: string): Promise<ServedFile> | undefined {
    const { files } = this.#embedded;
    if (!Object.hasOwn(files, name)) return undefined;
    const found = this.#found.get(name) ?? this.#unpack(name, files[name]!);
    this.#found.set(name, found);
    return found;
  }

  async #unpack(name: string, { brotli, base64 }: EmbeddedFile): Promise<ServedFile> {
    const content = Buffer.from(base64, 'base64');
    const shared = { mediaType: mediaTypeOf(name), mtimeMs: this.#embedded.modified, headers: this.#headers };
    const made = (bytes: Uint8Array, coding?: Coding) =>
      variant({ ...shared, name, bytes, length: bytes.length, coding, varies: brotli });
    if (!brotli) return { identity: made(content), encoded: [] };
    // Loaded here: it takes a start as long as the whole description.
    const { brotliDecompress, gzip } = await import('node:zlib');
    const identity = await promisify(brotliDecompress)(content);
    return { identity: made(identity), encoded: [made(content, 'br'), made(await promisify(gzip)(identity), 'gzip')] };
  }
}
