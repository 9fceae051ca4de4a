/** What the released files are run with: this Node, and the versions, Bun and Deno that `test/release` installs. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build-facts.ts';

/** A program that runs a file. */
export interface Runtime {
  readonly name: string;
  /** The program with its own options; the path of the file comes behind them. */
  readonly command: readonly string[];
}

const INSTALLED = join(ROOT, 'test/release/node_modules');

/** The Node of a major version; undefined where it is not installed. */
export function nodeOf(major: number): string | undefined {
  const path = join(INSTALLED, `node-${major}/bin/node`);
  return existsSync(path) ? path : undefined;
}

/** Every supported Node that is there, with its exact version. */
export function nodes(): Runtime[] {
  const installed = [20, 22, 24, 26].map(nodeOf).filter((path) => path !== undefined);
  const paths = [...new Set([...installed, process.execPath])];
  return paths.map((path) => ({
    name: `node ${execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()}`,
    command: [path],
  }));
}

/** Bun and Deno, with the rights that the service needs: the network, its settings and its own files. */
export function otherRuntimes(folder: string): Runtime[] {
  const rights = ['--no-prompt', '--allow-net', '--allow-env', `--allow-read=${folder}`];
  return [
    { name: 'bun', command: [join(INSTALLED, '@oven/bun-linux-x64/bin/bun')] },
    { name: 'deno', command: [join(INSTALLED, '@deno/linux-x64-glibc/deno'), 'run', ...rights] },
  ].filter(({ command }) => existsSync(command[0]!));
}

/** The options that give a Node no right but these. The network is a right of its own from 26 on. */
export function permissions(node: Runtime, ...readable: readonly string[]): Runtime | undefined {
  const major = Number(/node (\d+)/.exec(node.name)?.[1]);
  if (major < 22) return undefined;
  const net = major < 26 ? [] : ['--allow-net'];
  const options = ['--permission', ...net, ...readable.map((path) => `--allow-fs-read=${path}`)];
  return { name: `${node.name} --permission`, command: [...node.command, ...options] };
}
