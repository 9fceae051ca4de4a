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

/** Replaces a text that the file must have. */
function edit(file: string, before: string, after: string): void {
  const text = readFileSync(file, 'utf8');
  assert.ok(text.includes(before), `${file} has no ${before}`);
  writeFileSync(file, text.replaceAll(before, after));
}

test('house – the changes of the guide on adding a field → 201 with the field, and 400 for another type', () => {
  const folder = temporaryFolder({ 'package.json': '{"type":"module"}' });
  cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true });
  const declaration = /^ *(const due = \{.*\} as const;)$/m.exec(PAGE)![1]!;
  const properties = /^ *(properties: \{.*isComplete, due \},)$/m.exec(PAGE)![1]!;
  const item = join(folder, 'src/plugins/todo/todo-item.ts');
  edit(item, properties.replace(', due', ''), properties);
  edit(item, 'properties: { key, name, isComplete }', 'properties: { key, name, isComplete, due }');
  edit(item, 'const isComplete =', `${declaration}\nconst isComplete =`);
  const value = /give `Item1` a value: `(due: .*?)`/.exec(PAGE)![1]!;
  edit(join(folder, 'src/plugins/todo/todo.ts'), 'isComplete: false }', `isComplete: false, ${value} }`);
  const program = `
    import { application } from './src/index.ts';
    import { todo } from './src/plugins/todo/todo.ts';
    const app = application([todo()]);
    for (const due of ['2026-12-24', 'tomorrow']) {
      const reply = await app.request('/api/todo', { method: 'POST', json: { name: 'Call', due } });
      const { due: stored, errors } = await reply.json();
      console.log(reply.status, stored ?? errors[0].pointer);
    }
    console.log((await (await app.request('/api/todo')).json())[0].due);
    process.exit();`;
  writeFileSync(join(folder, 'try.ts'), program);
  const { stdout, stderr } = spawnSync(process.execPath, [...SOURCE_LOADER, join(folder, 'try.ts')], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 30_000,
  });
  assert.equal(stdout, '201 2026-12-24\n400 /due\nnull\n', stderr);
});
