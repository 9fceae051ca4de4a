/** The guide on adding a field is correct: its changes, applied to a copy of the sources, give the replies it describes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SOURCE_LOADER } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ROOT, textOf } from './source-files.ts';

const PAGE = textOf('src/guide/add-a-field.md');
const [, declaration = ''] = /^ *(const due = \{.*\} as const;)$/m.exec(PAGE)!;
const [, properties = ''] = /^ *(properties: \{.*), due \},$/m.exec(PAGE)!;
const [, first = ''] = /give `Item1` a value: `(due: .*?)`/.exec(PAGE)!;

/** Replaces a text that the file must have. */
function edit(file: string, before: string | RegExp, after: string): void {
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(before, after);
  assert.notEqual(changed, text, `${file} has no ${before}`);
  writeFileSync(file, changed);
}

/** Adds a field as the page says. Other fields may be there already, and so may this one. */
function addField(folder: string, name: string, declared = declaration): void {
  const [item, plugin] = ['todo-item.ts', 'todo.ts'].map((file) => join(folder, 'src/plugins/todo', file));
  if (readFileSync(item!, 'utf8').includes(`const ${name} =`)) return;
  assert.ok(readFileSync(item!, 'utf8').includes(properties), properties);
  edit(item!, /(?<=properties: \{ key, name.*, isComplete.*) \}(?=,| \}\))/g, `, ${name} }`);
  edit(item!, /^const isComplete =/m, `${declared.replace('due', name)}\n$&`);
  edit(plugin!, /(?<=const first = \{.*) \};/, `, ${first.replace('due', name)} };`);
}

const PROGRAM = `
  import { application } from './src/index.ts';
  import { describe } from './src/plugins/description/description.ts';
  import { todo } from './src/plugins/todo/todo.ts';
  const app = application([todo()]);
  for (const json of [{ due: '2026-12-24' }, { due: 'tomorrow' }, {}]) {
    const reply = await app.request('/api/todo', { method: 'POST', json });
    const { due, errors } = await reply.json();
    console.log(reply.status, due === undefined ? errors[0].pointer : due);
  }
  console.log('first', (await (await app.request('/api/todo')).json())[0].due);
  console.log(/[^.]*\`due\`[^.]*\\./.exec(describe(app.routes, {}).paths['/api/todo'].post.description)[0].trim());
  process.exit();`;

const NULLABLE = ['201 2026-12-24', '400 /due', '201 null', 'first null', 'An absent `due` becomes null.'];
for (const [question, change, expected] of [
  ['the sources as they are', () => {}, NULLABLE],
  ['sources in which they are done already', (folder) => addField(folder, 'due'), NULLABLE],
  ['sources with another new field', (folder) => addField(folder, 'rank'), NULLABLE],
  [
    'a field with a default',
    (folder) => {
      addField(folder, 'due', declaration.replace("'x-nullable': true", "default: '2026-12-31'"));
      edit(join(folder, 'src/plugins/todo/todo.ts'), 'due: null', "due: '2026-12-31'");
    },
    ['201 2026-12-24', '400 /due', '201 2026-12-31', 'first 2026-12-31', 'An absent `due` becomes "2026-12-31".'],
  ],
  [
    'a field that is required',
    (folder) => {
      addField(folder, 'due');
      edit(join(folder, 'src/plugins/todo/todo-item.ts'), "type: 'object',\n", "$&  required: ['due'],\n");
    },
    ['201 2026-12-24', '400 /due', '400 /due', 'first null', 'A body without `due` is refused.'],
  ],
] satisfies readonly (readonly [string, (folder: string) => void, readonly string[]])[])
  test(`house – the changes of the guide on adding a field, ${question} → the replies and the remark about the field`, () => {
    const folder = temporaryFolder({ 'package.json': '{"type":"module"}', 'try.ts': PROGRAM });
    cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true });
    change(folder);
    addField(folder, 'due');
    const { stdout, stderr } = spawnSync(process.execPath, [...SOURCE_LOADER, join(folder, 'try.ts')], {
      cwd: ROOT,
      encoding: 'utf8',
      timeout: 30_000,
    });
    assert.deepEqual(stdout.trimEnd().split('\n'), expected, stderr);
  });
