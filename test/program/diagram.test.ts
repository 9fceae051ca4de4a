/** Tests the picture of an application: that of the README is printed anew, and what is drawn is what is composed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { application } from '../../src/core/application/application.ts';
import { text } from '../../src/core/message/replies.ts';
import { route } from '../../src/core/routing/route.ts';
import { diagramOf } from '../../src/program/diagram.ts';
import { ROOT, textOf } from '../house/source-files.ts';
import { programOf } from '../support/program.ts';

const PROGRAM = [...programOf('src/program/commands.ts'), 'diagram'];
const FLAGS = [
  ...['--metrics', 'on', '--health-checks', 'on', '--access-log', 'on', '--cors-origins', 'https://app.example'],
  ...['--static', 'static/site'],
];

test('diagram – the picture in the README → is what npm run diagram prints', () => {
  const command = [...PROGRAM, ...FLAGS];
  const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.equal(stdout, textOf('test/browser/pipeline.svg'), 'npm run diagram writes it, with the flags of this test');
  assert.match(textOf('README.md'), /!\[[^\]]+\]\(test\/browser\/pipeline\.svg\)/);
});

test('diagram – wrong settings → a line, and no picture', () => {
  const command = [...PROGRAM, '--port', 'x'];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /^Cannot use --port "x": [^\n]*\n$/);
});

/** The texts of a picture, in their order. */
const textsOf = (svg: string): string[] => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, line]) => line!);

test('diagram – stages and routes of plugins → in the order in which a request meets them', () => {
  const composed = application([
    {
      name: 'own',
      stages: [(context, next) => next(context)],
      outerStages: [
        function watched(context, next) {
          return next(context);
        },
      ],
      routes: [
        route({ method: ['GET', 'HEAD'], path: 'a/{b?}', name: 'A', handle: () => text('a') }),
        route({ path: 'c', handle: () => text('c') }),
      ],
    },
  ]);
  assert.deepEqual(textsOf(diagramOf(composed)), [
    ...['parser', 'node:http', 'request validation', 'RFC 9112', 'watched', 'own, outer', 'problems', ''],
    ...['stage 1', 'own', 'routing', 'the first route that matches'],
    ...['1', 'GET, HEAD', 'a/{b?}', 'A', '2', '*', 'c', ''],
  ]);
});

test('diagram – a name with signs of XML → written as text', () => {
  const composed = application([{ name: '<b>"&', stages: [(context, next) => next(context)] }]);
  assert.ok(diagramOf(composed).includes('>&lt;b&gt;&quot;&amp;</text>'));
});
