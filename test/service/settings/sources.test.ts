/** Tests variables with a prefix, settings files, secrets from files, and `--print-config` (D32, D108). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertPlace } from '../../../src/service/item-store.ts';
import { bodyBudget, storeBudget } from '../../../src/service/memory-budgets.ts';
import {
  defaults,
  GivenSettings,
  readCopyPlaces,
  readSettings,
  type Settings,
  SettingsError,
} from '../../../src/service/settings/settings.ts';
import { KEY } from '../../support/certificate.ts';
import { PROGRAM } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const REDIS = 'redis://todo:s%23cret@cache:6379/1?list=mine';
const folder = temporaryFolder({
  'app.json': `\uFEFF{ "port": 9000, "max-body": "2 MiB", "comments": false, "trace": true, "idle-timeout": 5.5,
    "trusted-proxies": ["::1", "10.0.0.0/8"], "cors-origins": [], "static": ".", "title": "From the file" }`,
  'app.env': `# a comment\nPORT=9000\nTODO_MAX_BODY='2 MiB' # another\nTITLE=\nAWS_REGION=eu\nHEALTH_CHECK=on\nTODO_MODL=base\n`,
  'wrong.json': `{ "prot": 1, "maxBody": 1, "config": "app.env", "title": 5, "port": true, "comments": null,
    "trusted-proxies": ["::1,::2"], "max-connections": 0, "host": "a b", "__proto__": {} }`,
  'list.json': '[]',
  'cut.json': '{ "port": 1,\n  "store": "redis://u:secret@h }',
  'app.yaml': 'port: 1',
  'store.json': `{ "store": "${REDIS}" }`,
  store: `${REDIS}\n`,
  'other-store': '\uFEFFredis://other\r\n',
  'wrong-store': 'redis://todo:s#cret@cache',
  'no-url': 'u:secret@cache',
  empty: '',
  'first.env': 'PORT=1\nTODO_PORT=2\n',
});
const at = (name: string): string => join(folder, name);
const config = (name: string): string[] => ['--config', at(name)];

const TAKEN: readonly (readonly [
  clause: string,
  argv: readonly string[],
  want: Partial<Settings>,
  environment?: Readonly<Record<string, string>>,
])[] = [
  ['a variable with the prefix', [], { port: 1 }, { TODO_PORT: '1' }],
  ['the prefix wins', [], { port: 1 }, { TODO_PORT: '1', PORT: 'of another' }],
  ['an empty variable counts as unset', [], { port: 2 }, { TODO_PORT: '', PORT: '2' }],
  ['a flag wins over the prefix', ['--port=3'], { port: 3 }, { TODO_PORT: '1' }],
  ['CONFIG is of others', [], {}, { CONFIG: 'none' }],
  [
    'a file in JSON',
    config('app.json'),
    {
      ...{ port: 9000, maxBody: 2 ** 21, comments: false, trace: 'on', idleTimeout: 5500, corsOrigins: [] },
      ...{ trustedProxies: ['::1', '10.0.0.0/8'], staticRoot: process.cwd(), title: 'From the file' },
      config: at('app.json'),
    },
  ],
  [
    'a file of variables, with empty and foreign variables',
    [],
    { port: 9000, maxBody: 2 ** 21, config: at('app.env') },
    { TODO_CONFIG: at('app.env') },
  ],
  [
    'flag, then variable, then file',
    [...config('app.env'), '--port', '1'],
    { port: 1, maxBody: 1024, config: at('app.env') },
    { MAX_BODY: '1k', PORT: '2' },
  ],
  ['a prefix in a file', config('first.env'), { port: 2, config: at('first.env') }],
  ['the store by file', ['--store-file', at('store')], { store: REDIS, storeFile: at('store') }],
  [
    'the file of a variable, over the store of a file',
    config('store.json'),
    { store: REDIS, storeFile: at('store'), config: at('store.json') },
    { STORE_FILE: at('store') },
  ],
  [
    'the prefix wins over the store of the machine',
    [],
    { store: REDIS, storeFile: at('store') },
    { STORE: 'memory', TODO_STORE_FILE: at('store') },
  ],
  ['a flag wins over the file of a variable', ['--store', 'memory'], {}, { TODO_STORE_FILE: at('none') }],
];
for (const [clause, argv, want, environment = {}] of TAKEN)
  test(`D108 – ${clause} → valid`, () => assert.deepEqual(readSettings(argv, environment), { ...defaults(), ...want }));

const inFile = (name: string): string => ` in "${at(name)}"`;
const REFUSED: readonly (readonly [
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
  ...says: readonly string[],
])[] = [
  [
    config('wrong.json'),
    {},
    `Cannot use the member "prot"${inFile('wrong.json')}: the setting does not exist (did you mean port?); --help lists them`,
    `Cannot use the member "maxBody"${inFile('wrong.json')}: the setting does not exist (did you mean max-body?); --help lists them`,
    `Cannot use the member "config"${inFile('wrong.json')}: the setting does not exist; --help lists them`,
    `Cannot use title${inFile('wrong.json')}: its value has the wrong type; give a string`,
    `Cannot use port${inFile('wrong.json')}: its value has the wrong type; give a string or a number`,
    `Cannot use comments${inFile('wrong.json')}: its value has the wrong type; give a string or true or false`,
    `Cannot use trusted-proxies${inFile('wrong.json')}: its value has the wrong type; give a string or a list of strings without commas`,
    `Cannot use the member "__proto__"${inFile('wrong.json')}: the setting does not exist; --help lists them`,
    `Cannot use host "a b"${inFile('wrong.json')}: it is neither an address nor a name; give one such as 127.0.0.1, :: or localhost`,
    `Cannot use max-connections "0"${inFile('wrong.json')}: it is out of bounds; give 1 to 1000000`,
  ],
  [
    config('list.json'),
    {},
    `Cannot use --config "${at('list.json')}": it is not a JSON object; give one such as { "port": 8080 }`,
  ],
  [
    [],
    { TODO_CONFIG: at('cut.json') },
    `Cannot use TODO_CONFIG "${at('cut.json')}": it is not JSON (line 2); give an object such as { "port": 8080 }`,
  ],
  [
    config('app.yaml'),
    {},
    `Cannot use --config "${at('app.yaml')}": its name does not end in .json or .env; give a file such as app.json or app.env`,
  ],
  [
    config('none.env'),
    {},
    `Cannot use --config "${at('none.env')}": the file cannot be read; name one that this user may read`,
  ],
  [
    [...config('app.env'), '--max-body-memory', '1k'],
    { TODO_STORE: 'redis://u:secret@h/x' },
    'Cannot use TODO_STORE "redis://…": its path is not the number of a database; give a URL such as redis://localhost:6379/0',
    `Cannot use TODO_MAX_BODY "2 MiB"${inFile('app.env')}: a body of 2097152 bytes needs 4259840 bytes of memory, not 1024; change --max-body-memory too`,
  ],
  [
    [],
    { TODO_LICENSE_URL: 'https://e.example' },
    'Cannot use TODO_LICENSE_URL "https://e.example": it needs a name; give TODO_LICENSE_NAME too',
  ],
  [
    [],
    { HOST: 'a b', TODO_MODEL: 'x', PORT: 'x', MAX_BODY: 'x' },
    'Cannot use PORT "x": it is not a whole number; give 0 to 65535, or set TODO_PORT if PORT is meant for another program',
    'Cannot use HOST "a b": it is neither an address nor a name; give one such as 127.0.0.1, :: or localhost, or set TODO_HOST if HOST is meant for another program',
    'Cannot use TODO_MODEL "x": it is not a known word; give base or annotated',
    'Cannot use MAX_BODY "x": it is not a size; give bytes, or a size such as 512k or 1MiB',
  ],
  [
    [],
    { TODO_PORT: 'tcp://10.96.0.1:80' },
    'Cannot use TODO_PORT "tcp://10.96.0.1:80": Kubernetes gives it for a Service named "todo"; set enableServiceLinks to false, or rename the Service',
  ],
  [
    ['--store-file', at('store'), '--store', 'memory'],
    {},
    `Cannot use --store-file "${at('store')}": --store gives the store too; leave out one of the two`,
  ],
  [
    [],
    { STORE_FILE: at('wrong-store') },
    `Cannot use STORE_FILE "${at('wrong-store')}": it is not a URL of Redis; give a URL such as redis://localhost:6379, redis-cluster://one,two or redis-sentinel://one,two`,
  ],
  ...['no-url', 'empty'].map(
    (name) =>
      [
        ['--store-file', at(name)],
        {},
        `Cannot use --store-file "${at(name)}": it has no URL of Redis; write a URL into it, such as redis://user:password@host:6379`,
      ] as const,
  ),
  [
    [],
    { TODO_STORE_FILE: at('none') },
    `Cannot use TODO_STORE_FILE "${at('none')}": the file cannot be read; name one that this user may read`,
  ],
];
for (const [argv, environment, ...says] of REFUSED)
  test(`D108 – ${JSON.stringify([argv, environment]).replaceAll(folder, '')} → invalid`, () =>
    assert.throws(
      () => readSettings(argv, environment),
      (error) => {
        assert.ok(error instanceof SettingsError);
        assert.deepEqual(error.lines, says);
        assert.doesNotMatch(error.message, /s#?[ec]+cret|u:/);
        return true;
      },
    ));

/** Mistyped stores with a password: one per line, then texts with control characters. */
const SECRETS: readonly string[] = [
  ...`
"redis://u:s3cret@h"
'redis://u:s3cret@h'
tls:redis://u:s3cret@h
u:s3cret@h:6379
:s3cret@h
//u:s3cret@h
redis//u:s3cret@h
redis:u:s3cret@h
rdis://u:s3cret@h
mysql://u:p@s3cret@h/1
u:s3cret://x@h
REDIS://u:s3cret
./u:s3cret@h
redis://u:12/s3cret@h
redis://s3cret?list=a@h
http://u:s3cret@h
rediss://s3cret?cert=a&key=b@h
redis:\\\\u:s3cret@h
s3cret@memory
cache:6379,password=s3cret,ssl=False
/redis.sock?password=s3cret
tcp://h:6379?password=s3cret
https://h/?token=s3cret
tcp://redis%3A//u:s3cret
h?password=p@s3cret`
    .trim()
    .split('\n'),
  ...[' redis://u:s3cret@h', 'redis://u:s3cret@h ', '\uFEFFredis://u:s3cret@h', 'u:s3cret\n@h'],
  ...['u:p"s3cret\u202e@redis:6379', `redis://${'u'.repeat(300)}:s3cret@h/x`],
];
for (const text of SECRETS)
  test(`D85 – ${JSON.stringify(text).slice(0, 40)} → invalid in every source, and no message has the password`, () => {
    const inConfig = (content: object) => [
      '--config',
      join(temporaryFolder({ 'a.json': JSON.stringify(content) }), 'a.json'),
    ];
    const flags = ['--store', '--config', '--host', '--static', '--trusted-proxies'].map((flag) => [flag, text]);
    const others = [[`--store=${text}`, '--store', text], [text], [`--${text}`], [`--stroe=${text}`]];
    const files = [['--config', `${text}.json`], inConfig({ store: text }), inConfig({ [text]: 1 })];
    const variables = ['STORE', 'TODO_STORE', 'STORE_FILE', 'PORT'].map((name) => ({ [name]: text }));
    const given = [
      ...[...flags, ...others, ...files].map((argv) => new GivenSettings(argv, {})),
      ...[...variables, { STORE: text, STORE_FILE: text }].map((environment) => new GivenSettings([], environment)),
    ];
    const copies = [
      [text, 'b.db'],
      ['b.db', text],
      [`@${text}`, 'b.db'],
    ].map((places) => () => readCopyPlaces(['--copy-store', ...places], {}));
    for (const question of [...given.flatMap((one) => [() => one.read(), () => one.text()]), ...copies])
      assert.throws(question, (error) => error instanceof SettingsError && !error.message.includes('s3cret'));
  });

for (const [store, because] of [
  [':memory:', /it is not the word memory/],
  ['Memory', /it is not the word memory/],
  ['"memory"', /it is not the word memory/],
  [' memory\r', /it is not the word memory/],
  ['file:todo.db', /it has a colon.+give a path such as todo\.db/],
  ['sqlite:todo.db', /it has a colon/],
  ['localhost:6379', /it has a colon/],
  ['file:///todo.db', /it is neither a file nor a URL of Redis/],
  ['sqlite3://todo.db', /it is neither/],
  ['redis%3A%2F%2Fu%3Apassword%40h', /it is neither/],
  ['team@todo.db', /it is neither/],
  ["'todo.db'", /it begins or ends with a quotation mark or a blank/],
  ['todo.db\r', /it begins or ends with/],
] as const)
  test(`D85 – the store ${JSON.stringify(store)} → invalid with a hint, and no file is created`, () => {
    assert.throws(() => readSettings(['--store', store], {}), because);
    assert.throws(() => readCopyPlaces(['--copy-store', 'a.db', store], {}), because);
  });

test('D83 – a file path as the store → a file', () => {
  for (const store of ['todo.db', './file:x', 'memory.db', './memory', 'C:\\todo.db', '/data/a b.db'])
    assert.equal(readSettings(['--store', store], {}).store, resolve(store));
});

test('D86 – --copy-store @FILE @FILE → the URLs in the files, for both stores', () => {
  const [cache, other] = [`@${at('store')}`, `@${at('other-store')}`];
  const copied = (...places: readonly string[]) => {
    const { from, to } = readCopyPlaces(['--copy-store', ...places], {});
    return [from, to];
  };
  assert.deepEqual(copied(cache, other), [REDIS, 'redis://other']);
  assert.deepEqual(copied('./a.db', cache), [resolve('a.db'), REDIS]);
  assert.deepEqual(copied(cache, 'a.db'), [REDIS, resolve('a.db')]);
  for (const [places, fault] of [
    [[cache, cache], /"@.*store": both stores are the same; name another$/],
    [[`@${at('no-url')}`, 'a.db'], /"@.*no-url": it has no URL of Redis; write a URL into it/],
    [['a.db', `@${at('wrong-store')}`], /"@.*wrong-store": it is not a URL of Redis; give a URL/],
    [['a.db', '@'], /"@": the file cannot be read; name one that this user may read$/],
  ] as const)
    assert.throws(() => copied(...places), fault);
});

test('D108 – --copy-store → ignores the store of other sources and the settings that need a store', () => {
  const elsewhere = { TODO_STORE_FILE: at('none'), MAX_STORE_BYTES: '1g' };
  const { settings } = readCopyPlaces(['--copy-store', 'a.db', 'b.db', ...config('store.json')], elsewhere);
  assert.deepEqual(settings, { ...defaults(), maxStoreBytes: 2 ** 30, config: at('store.json') });
});

for (const [argv, environment, name] of [
  [[], { TODO_PORT: '1', PORT: '2' }, 'TODO_PORT'],
  [config('app.json'), {}, `port${inFile('app.json')}`],
  [config('app.env'), {}, `PORT${inFile('app.env')}`],
] as const)
  test(`D108 – ${JSON.stringify([argv, environment]).replaceAll(folder, '')} → the name of the port setting is ${name.replace(folder, '')}`, () =>
    assert.equal(new GivenSettings(argv, environment).nameOf('port'), name));

for (const [environment, ...meant] of [
  [{ HEALTH_CHECK: 'on', MAX_ITEM: '5', HOSTS: 'a', PORTS: '1', HTTP_PROXY: 'x' }],
  [{ TODO_PROT: '1', TODO_HEALTHCHECK: 'x', TODO_MODELS: '' }, 'TODO_PORT', 'TODO_HEALTH_CHECKS'],
  [{ TODO_SERVICE_HOST: 'x', TODO_SERVICE_PORT: '1', TODO_PORT_80_TCP: 'x', TODO_CONFIG: '' }],
  [{ TODO_CONFIG: at('app.env') }, 'TODO_MODEL'],
] as const)
  test(`D108 – ${JSON.stringify(environment).replace(folder, '')} → ${meant.join() || 'no'} warning`, () => {
    const told = new GivenSettings([], environment)
      .warnings()
      .map((line) => /^The variable \w+ is not read: the setting does not exist; did you mean (\w+)\?$/.exec(line)![1]);
    assert.deepEqual(told.sort(), [...meant].sort());
  });

test('D108 – --print-config → every setting once, with its source and without secrets', () => {
  const variables = { TODO_STORE_FILE: at('store'), MODEL: 'annotated' };
  const text = new GivenSettings([...config('app.json'), '--max-items', '7'], variables).text();
  const lines = text.split('\n');
  assert.equal(lines.length, Object.keys(defaults()).length);
  for (const line of [
    "TODO_HOST='127.0.0.1' # default",
    `TODO_MAX_BODY='2 MiB' # file max-body${inFile('app.json')}`,
    "TODO_MODEL='annotated' # variable MODEL",
    "TODO_MAX_ITEMS='7' # option --max-items",
    "# TODO_STORE='redis://cache:6379/1?list=mine' # variable TODO_STORE_FILE, secrets left out",
    `TODO_STORE_FILE='${at('store')}' # variable TODO_STORE_FILE`,
    `TODO_MAX_BODY_MEMORY='' # default, ${bodyBudget(2 * 2 ** 20)} bytes by the memory of this process`,
    "TODO_MAX_STORE_BYTES='' # default",
  ])
    assert.ok(lines.includes(line), `${line}\n\n${text}`);
  assert.doesNotMatch(text, /23cret|todo:/);
});

test('D121 – --print-config → the memory limit of items in bytes, and the option that replaces it', () => {
  const line = (...argv: string[]) =>
    new GivenSettings(argv, {})
      .text()
      .split('\n')
      .find((text) => text.startsWith('TODO_MAX_STORE_BYTES='));
  assert.equal(line(), `TODO_MAX_STORE_BYTES='' # default, ${storeBudget()} bytes by the memory of this process`);
  assert.equal(line('--max-store-bytes', '2m'), "TODO_MAX_STORE_BYTES='2 MiB' # option --max-store-bytes");
});

test('D108 – the output of --print-config as a file → the same settings, for any text', () => {
  const single = [...`'"\`#\\\\nurt$={}% @:/,;u0041\u00e9\u0000\t\n\r\u0085\u2028\u202e\uFEFF\ud800\udc00`];
  const characters = [...single, '\\u0027', '\\U0027', '🦊', '\u{e0001}'];
  const mixed = Array.from({ length: 300 }, (_, at) => {
    const places = Array.from({ length: 1 + (at % 9) }, (_, place) => at * 31 + place * place * 17 + at * place * 7);
    return places.map((place) => characters[place % characters.length]).join('');
  });
  const quoted = [`it's "both"`, 'it\'s "all" `three` # and more', `\\u0027\\\\u0027'`, ' blanks ', 'C:\\new\\table'];
  const texts = [...quoted, ...characters, ...mixed];
  const folder = temporaryFolder({});
  const [given, file] = [join(folder, 'given.json'), join(folder, 'all.env')];
  const names = ['title', 'description', 'info-version', 'terms-of-service', 'contact-name', 'license-name'];
  for (let at = 0; at < texts.length; at += names.length) {
    const members = Object.fromEntries(names.map((name, place) => [name, texts[at + place] ?? 'x']));
    writeFileSync(given, JSON.stringify({ ...members, 'max-body': '2k', 'shutdown-grace': 1.5, 'access-log': true }));
    const settings = new GivenSettings(['--config', given], {});
    writeFileSync(file, settings.text());
    assert.equal(settings.text().split('\n').length, Object.keys(defaults()).length);
    const again = readSettings(['--config', file], {});
    assert.deepEqual(again, { ...settings.read(), config: file }, JSON.stringify(members));
  }
});

test('D108 – a store below a folder with an "@" in its name → --print-config prints a path that is valid as input', (t) => {
  const before = process.cwd();
  t.after(() => process.chdir(before));
  process.chdir(temporaryFolder({ 'a@b/empty': '' }));
  process.chdir('a@b');
  const text = new GivenSettings(['--store', 'todo.db'], {}).text();
  assert.match(text, /^TODO_STORE='\.\/todo\.db' # option --store$/m);
  assert.equal(readSettings(['--store', './todo.db'], {}).store, join(process.cwd(), 'todo.db'));
});

for (const [what, argv, content] of [
  ['unknown members', [], Object.fromEntries(Array.from({ length: 150_000 }, (_, at) => [`${at}`, at]))],
  ['arguments', ['--', ...Array.from({ length: 150_000 }, () => 'x')], {}],
] as const)
  test(`D108 – 150,000 ${what} → exit code 2, a hundred lines and the number of further errors`, () => {
    const file = join(temporaryFolder({ 'many.json': JSON.stringify(content) }), 'many.json');
    assert.throws(
      () => readSettings(['--config', file, ...argv], {}),
      (error) => {
        assert.ok(error instanceof SettingsError);
        assert.equal(error.lines.length, 101);
        assert.equal(error.lines[100], 'Cannot use 149900 more flags, values or members; correct these first');
        return true;
      },
    );
  });

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const plugins = temporaryFolder({
  'good.js':
    'export default { name: "good", start() { throw new Error("it was started"); } }; setInterval(() => {}, 1000);',
  'bad.js': 'export default {};',
  'key.pem': KEY,
});
for (const [certificate, fault] of [
  ['none.pem', /cannot be read \(ENOENT: .+none\.pem'\)/],
  ['key.pem', /is invalid \(.+\)/],
] as const)
  test(`D85 – the certificate ${certificate} of a store → invalid before the service starts`, () => {
    const store = `rediss://cache?cert=${join(plugins, certificate)}&key=${join(plugins, 'key.pem')}`;
    const says = `^Cannot keep items in "rediss://cache": the certificate or its key ${fault.source}; .+$`;
    return assert.rejects(assertPlace(readSettings(['--store', store], {}).store), { message: new RegExp(says) });
  });

for (const [flags, status, said, errors] of [
  [['--plugin', join(plugins, 'good.js')], 0, 'ok\n', /^$/],
  [
    ['--plugin', join(plugins, 'bad.js'), '--store', '/nowhere/todo.db', '--host', 'nowhere.invalid'],
    1,
    '',
    /^Cannot use --host "nowhere.invalid": .+\nCannot use --plugin "bad.js": .+\nCannot keep items in "\/nowhere\/todo.db": the folder .+ does not exist; .+\n$/,
  ],
  [
    ['--store', 'redis://cache'],
    2,
    '',
    /^Cannot keep items in "redis:\/\/cache": the package "redis" is not installed; .+\n$/,
  ],
  [
    ['--plugin', 'u:s3cret@h', '--host', 'redis:u:s3cret'],
    1,
    '',
    /^Cannot use --host "…": .+\nCannot use --plugin "…@h": the file does not exist; name another\n$/,
  ],
] as const)
  test(`D108 – --check ${flags.join(' ').replaceAll(plugins, '')} → exit code ${status}, and nothing is started`, () => {
    const { NODE_PATH: _, ...environment } = process.env;
    const done = spawnSync(process.execPath, [...PROGRAM, '--check', ...flags], {
      ...{ cwd: ROOT, encoding: 'utf8', env: environment },
    });
    assert.match(done.stderr, errors);
    assert.deepEqual([done.stdout, done.status], [said, status]);
  });
