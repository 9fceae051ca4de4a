/**
 * Builds the image with buildah and packs it as an archive, in the layout of OCI with what `docker load` reads beside
 * it (D90). The same sources, base and version of buildah give the same bytes.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildFacts, ROOT } from './build-facts.ts';

/** The base that the `Dockerfile` names. */
export const BASE = /^ARG BASE=(\S+)$/m.exec(readFileSync(`${ROOT}Dockerfile`, 'utf8'))![1]!;

/** A file of an image, as its manifest names it. */
export interface Descriptor {
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
}

/** A packed image. */
export interface Image {
  /** Of its manifest: what a registry knows it by. */
  readonly digest: string;
  /** The layers as they are pushed, the runtime first. */
  readonly layers: readonly Descriptor[];
  /** The folder of its files, while the engine runs. */
  readonly root: string;
}

/** A store of images of its own, below `folder`. */
export class Engine {
  readonly #folder: string;
  readonly #base: string;
  readonly #options: readonly string[];

  /** `base` is the image that the build begins with, by name or by digest. */
  constructor(folder: string, base: string = BASE) {
    this.#folder = folder;
    this.#base = base;
    this.#options = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
  }

  /** What buildah prints. Throws with what it says when it fails. */
  run(...words: readonly string[]): string {
    const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' };
    return execFileSync('buildah', [...this.#options, ...words], { encoding: 'utf8', stdio: 'pipe', env }).trim();
  }

  /** Ends the use of all images, as far as it can: an error before this is what counts. */
  close(): void {
    for (const word of ['umount', 'rm']) spawnSync('buildah', [...this.#options, word, '--all']);
    // It stays mounted where the store is a layered file system.
    spawnSync('umount', ['--lazy', join(this.#folder, 'store/overlay')]);
  }

  /** Pulls the base. Throws with what buildah says where no registry has it. */
  pullBase(): void {
    this.run('pull', this.#base);
  }

  /** Makes a stand-in for the base, for tests where no registry can be reached. Throws what that fails with. */
  makeBase(): void {
    const [, major = ''] = /:(\d+)/.exec(this.#base) ?? [];
    const env = { ...process.env, BUILDAH_OPTIONS: this.#options.join(' ') };
    execFileSync(join(ROOT, 'test/release/stand-in-base.sh'), [this.#base, major], { env, stdio: 'pipe' });
  }

  /** Throws unless this machine can build an image at all: it may lack the rights to mount. */
  assertBuilds(): void {
    const folder = mkdtempSync(join(this.#folder, 'probe-'));
    writeFileSync(join(folder, 'Dockerfile'), `FROM ${this.#base}\nRUN node --version\n`);
    this.run('bud', '--quiet', '--pull-never', folder);
  }

  /** Builds the image without what an earlier build has left, and writes its archive. */
  build({ version, commit, modified }: BuildFacts, archive: string, work: string): Image {
    const given = { BASE: this.#base, COMMIT: commit, SOURCE_DATE_EPOCH: String(modified / 1000) };
    const options = Object.entries(given).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
    const name = `todo-item-service:${version}`;
    options.push('--layers', '--no-cache', '--pull-never', '--network', 'host', '--format', 'docker');
    this.run('bud', '--quiet', ...options, '--timestamp', '0', '--tag', name, ROOT);
    const pushed = join(work, 'pushed');
    this.run('push', '--quiet', name, `dir:${pushed}`);
    const { digest, layers } = writeLayout(pushed, join(work, 'layout'), name, new Date(modified).toISOString());
    const tar = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=ustar'];
    tar.push('--mode=u=rwX,go=rX');
    execFileSync('tar', [...tar, '-cf', archive, '-C', join(work, 'layout'), ...readdirSync(join(work, 'layout'))]);
    return { digest, layers, root: this.run('mount', this.run('from', '--pull-never', name)) };
  }
}

/** Writes what buildah has pushed to a folder as a layout of OCI, without what is different in each build. */
function writeLayout(pushed: string, layout: string, name: string, created: string): Omit<Image, 'root'> {
  const blobs = join(layout, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const blob = (content: object): Descriptor => {
    const text = JSON.stringify(content);
    const hash = createHash('sha256').update(text).digest('hex');
    writeFileSync(join(blobs, hash), text);
    return { digest: `sha256:${hash}`, size: Buffer.byteLength(text) };
  };
  const read = (file: string) => JSON.parse(readFileSync(join(pushed, file), 'utf8'));
  const hashOf = ({ digest }: Descriptor): string => digest.slice('sha256:'.length);

  const { config: from, layers } = read('manifest.json') as { config: Descriptor; layers: readonly Descriptor[] };
  for (const layer of layers) cpSync(join(pushed, hashOf(layer)), join(blobs, hashOf(layer)));
  // The rest is about the machine, such as its name, and about the images that were made on the way.
  const { architecture, os, rootfs, history, config: settings } = read(hashOf(from));
  const { Hostname, Labels, ...kept } = settings;
  delete Labels['io.buildah.version'];
  for (const step of history) delete step.comment;
  const config = blob({ architecture, os, created, config: { ...kept, Labels }, rootfs, history });
  const type = (what: string): string => `application/vnd.oci.image.${what}`;
  const manifest = blob({
    schemaVersion: 2,
    mediaType: type('manifest.v1+json'),
    config: { mediaType: type('config.v1+json'), ...config },
    layers: layers.map(({ digest, size }) => ({ mediaType: type('layer.v1.tar+gzip'), digest, size })),
  });
  const annotations = { 'org.opencontainers.image.ref.name': name };
  const write = (file: string, content: object): void => writeFileSync(join(layout, file), JSON.stringify(content));
  write('oci-layout', { imageLayoutVersion: '1.0.0' });
  write('index.json', {
    schemaVersion: 2,
    mediaType: type('index.v1+json'),
    manifests: [{ mediaType: type('manifest.v1+json'), ...manifest, annotations }],
  });
  const path = (of: Descriptor): string => `blobs/sha256/${hashOf(of)}`;
  write('manifest.json', [{ Config: path(config), RepoTags: [name], Layers: layers.map(path) }]);
  return { digest: manifest.digest, layers };
}
