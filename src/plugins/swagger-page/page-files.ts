/**
 * The page's files: per name the own one, else the vendored one (D19), changed where the address asks for it.
 *
 * Two things depend on where the page is. At the address without the slash the links of the index page need the last piece
 * of the path in front; and the vendored script must know how far above itself the application begins. Each is changed
 * when it is first asked for, kept as long as the file on the disk is the same, and has an entity tag of its own.
 */
import { type ServedFile, variant } from '../../files/file-variant.ts';
import type { Folder } from '../../files/folder.ts';
import { after } from '../../http/message/after.ts';
import { prefixRelativeLinks } from './relative-links.ts';

/** A file and the root of the folder that it is from. */
export interface PageFile {
  readonly file: ServedFile;
  readonly root: string;
}

type Found = PageFile | undefined;
type Change = (bytes: Uint8Array) => Uint8Array;

/** Where things are, without slashes at either end. */
export interface PagePlace {
  readonly path: string;
  readonly document: string;
}

/** The place that the vendored script is written for. */
export const USUAL: PagePlace = { path: 'swagger/ui', document: 'swagger/v1/swagger.json' };

/** A client may spell the last piece of the path in as many ways as it has letters, and more. */
const MOST_PREFIXES = 32;

export class PageFiles {
  readonly #own: Folder | undefined;
  readonly #vendored: Folder;
  readonly #path: string;
  /** By prefix. */
  readonly #withPrefix = new Map<string, (file: ServedFile) => ServedFile>();
  readonly #withPlace: (file: ServedFile) => ServedFile;

  constructor(own: Folder | undefined, vendored: Folder, place: PagePlace) {
    this.#own = own;
    this.#vendored = vendored;
    this.#path = place.path;
    const pieces = place.path.split('/');
    const usual = place.path === USUAL.path && place.document === USUAL.document;
    this.#withPlace = usual ? (file) => file : changed(placing(pieces.length, place.document));
  }

  /** The index page as it must be at the page's path without a slash behind it. `asked` as in `find`. */
  index(asked: string): Found | Promise<Found> {
    const piece = encodeURIComponent(asked.slice(asked.lastIndexOf('/') + 1)),
      prefix = `${piece.replaceAll("'", '%27')}/`;
    return after(
      this.find('index.html', asked),
      (found) => found && { ...found, file: this.#prefixed(found.file, prefix) },
    );
  }

  /**
   * The file of a name that `fileName` gave. `asked` is the page's path as the request spells it, decoded and without slashes at either
   * end: own files are looked for there first. A promise rejects as that of `Folder.find` does.
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
      if (this.#withPrefix.size >= MOST_PREFIXES) this.#withPrefix.clear();
      this.#withPrefix.set(prefix, (withPrefix = changed((page) => prefixRelativeLinks(page, prefix))));
    }
    return withPrefix(file);
  }

  #fromVendored(name: string): Found | Promise<Found> {
    const { root } = this.#vendored;
    return after(
      this.#vendored.find(name),
      (file) => file && { file: name === 'init.js' ? this.#withPlace(file) : file, root },
    );
  }
}

/** Files changed by `change`, each once. One too large to be held is sent as it is. */
function changed(change: Change): (file: ServedFile) => ServedFile {
  const made = new WeakMap<ServedFile, ServedFile>();
  return (file) => {
    const { parts, bytes: before } = file.plain;
    if (before === undefined) return file;
    const found = made.get(file);
    if (found !== undefined) return found;
    const bytes = change(before);
    const result = { plain: variant({ ...parts, bytes, length: bytes.length, varies: false }), coded: {}, codings: [] };
    made.set(file, result);
    return result;
  };
}

const PLACE = /const place = \{.*\};/;

/** Tells the vendored script its place: so many pieces below the application, and the path of the document. */
const placing =
  (depth: number, document: string): Change =>
  (script) => {
    const place = JSON.stringify({ application: './' + '../'.repeat(depth), document });
    return Buffer.from(
      Buffer.from(script)
        .toString('utf8')
        .replace(PLACE, () => `const place = ${place};`),
    );
  };
