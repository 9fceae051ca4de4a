/** The pages of a release (D90): they lead to each other, and the page of the release names each file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorFiles } from './operator-files.ts';

const files = operatorFiles();
const pages = [...files].filter(([name]) => name.endsWith('.md'));
const anchorsOf = (page: string): string[] =>
  Array.from(page.matchAll(/^#+ (.*)$/gm), ([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

test('D90 – each link of a page → a file of the release, and a heading that it has', () => {
  let links = 0;
  for (const [name, page] of pages)
    for (const [link, path, anchor] of page.matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)) {
      const target = files.get(path || name);
      assert.ok(target !== undefined, `${name}: ${link}`);
      if (anchor) assert.ok(anchorsOf(target).includes(anchor), `${name}: ${link}`);
      links++;
    }
  assert.ok(links > 15, `${links} links`);
});

test('D90 – air-gap.md → names each of these files', () => {
  for (const name of files.keys()) assert.ok(files.get('air-gap.md')!.includes(`\`${name}\``), name);
});

test('D90 – the settings and the unit of systemd → are there', () => {
  assert.match(files.get('settings.md')!, /`--shutdown-grace TIME`/);
  assert.match(files.get('todo.service')!, /^ExecStart=/m);
});
