/**
 * Finds the files of the page, in the static folder or among the vendored ones (D19), and adapts them to its address.
 *
 * Two files depend on the address. Without the trailing slash, the links of the index page need the last path segment
 * as a prefix. The vendored script needs the relative path from the page to the application. Each rewritten file is
 * cached until the file on the disk changes, and has an entity tag of its own.
 */

import { after } from '../../extending.ts';
import { type EmbeddedFolder, type Folder, type ServedFile, variant } from '../files/files.ts';
import { prefixRelativeLinks } from './relative-links.ts';

/** A file, and the root of the folder that it is in. */
export interface PageFile {
  readonly file: ServedFile;
  readonly root: string;
}

type Found = PageFile | undefined;
type Rewriter = (file: ServedFile) => ServedFile;

/** The paths of the page and of its document, without leading and trailing slashes. */
export interface PagePlace {
  readonly path: string;
  readonly document: string;
}

/** The paths that the vendored script is written for. */
export const DEFAULT_PLACE: PagePlace = { path: 'swagger/ui', document: 'swagger/v1/swagger.json' };

/** A client can write the last path segment in many ways: in upper and lower case, and percent-encoded. */
const MAX_PREFIXES = 32;

export class PageFiles {
  readonly #own: Folder | undefined;
  readonly #vendored: Folder | EmbeddedFolder;
  readonly #path: string;
  /** The rewriting of the index page, by the prefix of its links. */
  readonly #withPrefix = new Map<string, Rewriter>();
  readonly #withPlace: Rewriter;

  constructor(own: Folder | undefined, vendored: Folder | EmbeddedFolder, place: PagePlace) {
    this.#own = own;
    this.#vendored = vendored;
    this.#path = place.path;
    const isDefault = place.path === DEFAULT_PLACE.path && place.document === DEFAULT_PLACE.document;
    const depth = place.path.split('/').length;
    this.#withPlace = isDefault ? (file) => file : rewriter((script) => withPlace(script, depth, place.document));
  }

  /** The index page for the path without a trailing slash. `asked` is as in `find`. */
  index(asked: string): Found | Promise<Found> {
    const segment = encodeURIComponent(asked.slice(asked.lastIndexOf('/') + 1));
    const prefix = `${segment.replaceAll("'", '%27')}/`;
    const prefixed = (found: Found): Found => found && { ...found, file: this.#prefixed(found.file, prefix) };
    return after(this.find('index.html', asked), prefixed);
  }

  /**
   * The file with a name from `fileName`. `asked` is the path of the page as the request writes it, decoded and without
   * slashes around it; the static folder is searched there first (D59). Rejects as `Folder.find` does.
   */
  find(name: string, asked: string): Found | Promise<Found> {
    const own = this.#own;
    if (own === undefined) return this.#fromVendored(name);
    return after(own.find(`${asked}/${name}`), (file) => {
      if (file !== undefined) return { file, root: own.root };
      return asked === this.#path ? this.#fromVendored(name) : this.find(name, this.#path);
    });
  }

  #prefixed(file: ServedFile, prefix: string): ServedFile {
    let withPrefix = this.#withPrefix.get(prefix);
    if (withPrefix === undefined) {
      if (this.#withPrefix.size >= MAX_PREFIXES) this.#withPrefix.clear();
      this.#withPrefix.set(prefix, (withPrefix = rewriter((page) => prefixRelativeLinks(page, prefix))));
    }
    return withPrefix(file);
  }

  #fromVendored(name: string): Found | Promise<Found> {
    const { root } = this.#vendored;
    const placed = (file: ServedFile): ServedFile => (name === 'init.js' ? this.#withPlace(file) : file);
    return after(this.#vendored.find(name), (file) => file && { file: placed(file), root });
  }
}

/** A function that rewrites each file once. A file that is too large to be cached stays as it is. */
function rewriter(change: (bytes: Uint8Array) => Uint8Array): Rewriter {
  const rewritten = new WeakMap<ServedFile, ServedFile>();
  return (file) => {
    const { source, bytes: before } = file.identity;
    if (before === undefined) return file;
    const known = rewritten.get(file);
    if (known !== undefined) return known;
    const bytes = change(before);
    const identity = variant({ ...source, bytes, length: bytes.length, varies: false });
    const result = { identity, encoded: {}, codings: [] };
    rewritten.set(file, result);
    return result;
  };
}

/** The vendored script for a page that is `depth` path segments below the application. */
function withPlace(script: Uint8Array, depth: number, document: string): Uint8Array {
  const place = JSON.stringify({ application: './' + '../'.repeat(depth), document });
  const text = Buffer.from(script).toString('utf8');
  return Buffer.from(text.replace(/const place = \{.*\};/, () => `const place = ${place};`));
}
