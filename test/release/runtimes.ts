/** The runtimes for the released files: this Node, and the versions of Node, Bun and Deno in `test/release`. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build-facts.ts';

/** A program that runs a file. */
export interface Runtime {
  readonly name: string;
  /** The program with its options. The path of the file follows. */
  readonly command: readonly string[];
}

const INSTALLED = join(ROOT, 'test/release/node_modules');

/** Returns the Node of a major version, or undefined if it is not installed. */
export function nodeOf(major: number): string | undefined {
  const path = join(INSTALLED, `node-${major}/bin/node`);
  return existsSync(path) ? path : undefined;
}

/** Returns every installed and supported Node with its exact version. */
export function nodes(): Runtime[] {
  const installed = [20, 22, 24, 26].map(nodeOf).filter((path) => path !== undefined);
  const paths = [...new Set([...installed, process.execPath])];
  return paths.map((path) => ({
    name: `node ${execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()}`,
    command: [path],
  }));
}

/** Returns Bun and Deno with the permissions that the service needs: network, settings and its files. */
export function otherRuntimes(folder: string): Runtime[] {
  const rights = ['--no-prompt', '--allow-net', '--allow-env', `--allow-read=${folder}`];
  return [
    { name: 'bun', command: [join(INSTALLED, '@oven/bun-linux-x64/bin/bun')] },
    { name: 'deno', command: [join(INSTALLED, '@deno/linux-x64-glibc/deno'), 'run', ...rights] },
  ].filter(({ command }) => existsSync(command[0]!));
}

/** Returns the options that limit Node to these permissions. Node 26 and later also restrict the network. */
export function permissions(node: Runtime, ...readable: readonly string[]): Runtime | undefined {
  const major = Number(/node (\d+)/.exec(node.name)?.[1]);
  if (major < 22) return undefined;
  const net = major < 26 ? [] : ['--allow-net'];
  const options = ['--permission', ...net, ...readable.map((path) => `--allow-fs-read=${path}`)];
  return { name: `${node.name} --permission`, command: [...node.command, ...options] };
}
