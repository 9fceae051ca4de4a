/** Access to Redis: the least rights (ACL), and the warning about eviction (D113). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { todoSchema } from '../../../src/plugins/todo/todo.ts';
import { RedisStore } from '../../../src/shelf/redis/redis-store.ts';
import { textOf } from '../../house/source-files.ts';
import {
  CLIENT_FOLDER,
  ENGINES,
  noEngine,
  type RunningEngine,
  startEngine,
  workBesideClient,
} from '../../support/lasting-stores.ts';
import { PROGRAM } from '../../support/program.ts';
import { logged } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { todoItem } from '../../support/todo-item.ts';

const PAGE = new URL('../../../src/shelf/redis/README.md', import.meta.url);
const TEXT = readFileSync(PAGE, 'utf8');
/** The lines of the page for `redis.conf`, for a list `todo`. */
const [USERS = ''] = /^user default [^]+?(?=\n```)/m.exec(TEXT.replaceAll('\\\n', '')) ?? [];
const [, first = ''] = /^user todo on >PASSWORD (.+)$/m.exec(USERS) ?? [];
const [, second = ''] = /`--copy-store`, the user needs `(.+?)`/.exec(TEXT) ?? [];
const [, third = ''] = /^ACL SETUSER backup on >PASSWORD (.+)$/m.exec(textOf('src/guide/operate/backups.md')) ?? [];
/** The rights that the pages list for a list `todo`, for filling a list by a copy, and for reading it. */
const [WORDS, COPY_WORDS, BACKUP_WORDS] = [first.split(/\s+/), second.split(/\s+/), third.split(/\s+/)] as const;

const item = (key: string) => todoItem({ key, name: `name of ${key}` });

/** Runs every command that a service runs on its list. Rejects if the server denies one. */
async function useStore(url: string): Promise<void> {
  const store = new RedisStore(todoSchema(), { url, wait: 0, maxItems: 9 });
  try {
    await store.open();
    await store.seed('seed', item('seed'));
    await store.add('one', item('one'));
    await store.get('one');
    await store.replace('one', item('one'));
    await store.list();
    assert.equal(await store.remove('one'), true);
    await store.check();
  } finally {
    store.close();
  }
}

for (const engine of ENGINES)
  describe(`D113 – access to ${engine}`, { skip: noEngine(engine) }, () => {
    let running: RunningEngine;
    /** `redis://todo:secret@…`, the list `todo`. */
    const url = () => running.url('todo').replace('//', '//todo:secret@');
    const setRights = (...rights: readonly string[]): void => {
      assert.equal(running.command('ACL', 'SETUSER', 'todo', 'reset', 'on', '>secret', ...rights), 'OK');
      running.command('FLUSHALL');
      running.command('SCRIPT', 'FLUSH');
    };

    before(async () => {
      workBesideClient();
      running = await startEngine(engine, '--appendonly', 'no');
    });
    after(() => running?.stop());
    afterEach(() => logged.splice(0));

    test('a user with the rights of the page → everything works, the log is empty', async () => {
      assert.ok(WORDS.length > 10 && COPY_WORDS.length > 3, `${WORDS} and ${COPY_WORDS}`);
      setRights(...WORDS);
      await useStore(url());
      assert.deepEqual(logged, []);
    });

    test('the users of the page, kill -9 while items are added, a restart → every answered item is stored', async (t) => {
      assert.match(USERS, /^user default off .+\nuser admin on >ADMIN_PASSWORD .+\nuser todo on >PASSWORD .+$/);
      const file = join(temporaryFolder({ 'users.conf': `${USERS}\n` }), 'users.conf');
      const killed = await startEngine(engine, '--include', file);
      t.after(() => killed.stop());
      assert.match(killed.command('PING'), /^NOAUTH /);
      const as = (user: string, password: string, ...words: readonly string[]): string =>
        killed.command('--no-auth-warning', '--user', user, '--pass', password, ...words);
      for (const words of [
        ['ACL', 'LIST'],
        ['CONFIG', 'SET', 'maxmemory', '0'],
      ] as const) {
        assert.doesNotMatch(as('admin', 'ADMIN_PASSWORD', ...words), /NOPERM|NOAUTH/);
        assert.match(as('todo', 'PASSWORD', ...words), /^NOPERM /);
      }
      const open = async () => {
        const address = killed.url('todo').replace('//', '//todo:PASSWORD@');
        const store = new RedisStore(todoSchema(), { url: address, wait: 0 });
        await store.open();
        return store;
      };
      const store = await open();
      const answered: string[] = [];
      const add = async (key: string) => {
        try {
          await store.add(key, item(key));
        } catch {
          return;
        }
        answered.push(key);
        if (answered.length === 1000) await killed.kill();
      };
      for (let from = 0; from < 2000; from += 50)
        await Promise.all(Array.from({ length: 50 }, (_, more) => add(`key${from + more}`)));
      store.close();
      await killed.restart();
      const again = await open();
      t.after(() => again.close());
      assert.ok(answered.length >= 1000, String(answered.length));
      const missing = [];
      for (const key of answered) if ((await again.get(key)) === undefined) missing.push(key);
      assert.deepEqual(missing, []);
    });

    // PING is sent only on an idle connection, every 4 s.
    for (const word of WORDS.filter((word) => word.startsWith('+') && word !== '+ping'))
      test(`a user without ${word} → a command is denied`, async () => {
        setRights(...WORDS, word.replace('+', '-'));
        await assert.rejects(useStore(url()));
      });

    test('a user without rights → the start is refused with a line that names the rights of the page', async () => {
      setRights('~{todo}:*');
      const message = await useStore(url()).then(() => '', String);
      const named = /; give the user the rights (.+)$/.exec(message)?.[1];
      assert.deepEqual(new Set(named?.split(' ')), new Set(WORDS.filter((word) => word !== '+info')));
    });

    test('another database → needs +select', async () => {
      setRights(...WORDS);
      await assert.rejects(useStore(url().replace('/0?', '/1?')));
      setRights(...WORDS, '+select');
      await useStore(url().replace('/0?', '/1?'));
    });

    /** Copies a list of one item from or to the list of the user. */
    const copy = (way: 'from' | 'to') => {
      const [list, other] = way === 'from' ? ['todo', 'other'] : ['other', 'todo'];
      running.command('HSET', `{${list}}:items`, 'a', '1 {"name":"a","isComplete":false}');
      running.command('ZADD', `{${list}}:order`, '1', 'a');
      const places = way === 'from' ? [url(), running.url(other)] : [running.url(list), url()];
      const env = { ...process.env, NODE_PATH: CLIENT_FOLDER };
      return spawnSync(process.execPath, [...PROGRAM, '--copy-store', ...places], { encoding: 'utf8', env });
    };

    for (const [way, rights] of [
      ['from', BACKUP_WORDS],
      ['to', [...WORDS, ...COPY_WORDS]],
    ] as const) {
      test(`a user with the rights of the page for copying ${way} a list → it is copied`, () => {
        setRights(...rights);
        const { stdout, stderr } = copy(way);
        assert.match(stdout, /^Copied 1 items /, stderr);
      });

      test(`--copy-store ${way} a list of a user without rights → one line names rights that suffice, and no other`, () => {
        setRights('~{todo}:*');
        const { status, stdout, stderr } = copy(way);
        const [, named = ''] =
          /^Cannot keep items in .+; give the user the rights (~\{todo\}:\* .+)\n$/.exec(stderr) ?? [];
        assert.deepEqual([status, stdout], [2, ''], stderr);
        setRights(...named.split(' '));
        assert.match(copy(way).stdout, /^Copied 1 items /);
        for (const word of named.split(' ').filter((word) => word.startsWith('+') && word !== '+ping')) {
          setRights(...named.split(' '), word.replace('+', '-'));
          const { status, stderr } = copy(way);
          assert.ok(stderr.endsWith(`; give the user the rights ${named}\n`), `${word}: ${stderr}`);
          assert.deepEqual([status, stderr.trim().split('\n').length], [2, 1], stderr);
        }
      });
    }

    for (const [policy, warnings] of [
      ['allkeys-lru', 1],
      ['allkeys-random', 1],
      ['volatile-lru', 0],
      ['noeviction', 0],
    ] as const)
      test(`maxmemory-policy ${policy} → ${warnings} warnings at the start`, async (t) => {
        running.command('CONFIG', 'SET', 'maxmemory-policy', policy);
        t.after(() => running.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction'));
        await useStore(running.url());
        const lines = [...logged];
        assert.equal(lines.length, warnings, lines.join('\n'));
        const warning = new RegExp(`evicts items .+ ${policy}\\); set "maxmemory-policy noeviction"`);
        for (const line of lines) assert.match(JSON.parse(line).message, warning);
      });
  });
