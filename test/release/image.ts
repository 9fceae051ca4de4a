/** Builds the image from the `Dockerfile` with buildah, on machines without another container engine (D90). */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildFacts, ROOT } from './build-facts.ts';

/** The base image in the `Dockerfile`. */
const BASE = /^ARG BASE=(\S+)$/m.exec(readFileSync(`${ROOT}Dockerfile`, 'utf8'))![1]!;

/** A built image. */
export interface Image {
  /** The layers in the form of a registry, the runtime first; sizes in bytes. */
  readonly layers: readonly { readonly digest: string; readonly size: number }[];
  /** The settings from the `Dockerfile`. */
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Healthcheck: { readonly Test: readonly string[] };
  };
  /** The folder with its files while the engine runs. */
  readonly root: string;
}

/** A separate store of images below a folder. */
export class Engine {
  readonly #folder: string;
  readonly #options: readonly string[];

  constructor(folder: string) {
    this.#folder = folder;
    this.#options = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
  }

  #run(...words: readonly string[]): string {
    const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' };
    return execFileSync('buildah', [...this.#options, ...words], { encoding: 'utf8', stdio: 'pipe', env }).trim();
  }

  /** Pulls the base from a registry or creates a stand-in, and returns its source. Throws if neither works. */
  prepare(): string {
    let from = BASE;
    try {
      this.#run('pull', BASE);
    } catch {
      from = `a stand-in for ${BASE}, which no registry gave`;
      const [, major = ''] = /:(\d+)/.exec(BASE) ?? [];
      const env = { ...process.env, BUILDAH_OPTIONS: this.#options.join(' ') };
      execFileSync(join(ROOT, 'test/release/stand-in-base.sh'), [BASE, major], { env, stdio: 'pipe' });
    }
    // The machine may not allow mounts.
    const probe = mkdtempSync(join(this.#folder, 'probe-'));
    writeFileSync(join(probe, 'Dockerfile'), `FROM ${BASE}\nRUN node --version\n`);
    this.#run('bud', '--quiet', '--pull-never', probe);
    return from;
  }

  /** Builds the image without a cache. Throws with the output of buildah. */
  build({ commit, modified }: BuildFacts): Image {
    const given = { COMMIT: commit, SOURCE_DATE_EPOCH: String(modified / 1000) };
    const options = Object.entries(given).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
    options.push('--layers', '--no-cache', '--pull-never', '--network', 'host', '--format', 'docker');
    const name = 'todo-item-service';
    this.#run('bud', '--quiet', ...options, '--timestamp', '0', '--tag', name, ROOT);
    const pushed = mkdtempSync(join(this.#folder, 'pushed-'));
    this.#run('push', '--quiet', name, `dir:${pushed}`);
    const read = (file: string) => JSON.parse(readFileSync(join(pushed, file), 'utf8'));
    const { config, layers } = read('manifest.json');
    return {
      layers,
      config: read(config.digest.slice('sha256:'.length)).config,
      root: this.#run('mount', this.#run('from', '--pull-never', name)),
    };
  }

  /** Unmounts all images. Ignores errors, so that they do not hide an earlier error. */
  close(): void {
    for (const word of ['umount', 'rm']) spawnSync('buildah', [...this.#options, word, '--all']);
    // On a layered file system, the store stays mounted.
    spawnSync('umount', ['--lazy', join(this.#folder, 'store/overlay')]);
  }
}
