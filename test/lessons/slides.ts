/**
 * Makes `slides.html` of the code and the texts that are here. A test says whether it is up to date.
 *
 *     node --import tsx test/lessons/slides.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { lessons } from './lessons.ts';

const FILE = new URL('slides.html', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** How many lessons and steps a class of two hours may come to. */
const LESSONS = 5;
const STEPS = ['1-thrown-string', '2-wrong-length', '3-two-hosts', '4-pipelining', '5-slow-body', '6-half-close'];

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const code = (text: string): string => `<pre>${escaped(text.trim())}</pre>`;
/** The few signs of Markdown that the pages use within a line; a link is its text. */
const prose = (text: string): string =>
  escaped(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
const paragraphs = (...texts: readonly string[]): string => texts.map((text) => `<p>${prose(text)}</p>`).join('\n');
const listed = (texts: readonly string[]): string =>
  `<ul>\n${texts.map((text) => `<li>${prose(text)}</li>`).join('\n')}\n</ul>`;
const slide = (title: string, ...parts: readonly string[]): string =>
  `<section>\n<h2>${prose(title)}</h2>\n${parts.join('\n')}\n</section>`;

/** The part of a page between a heading and the next one. */
function under(page: string, heading: string): string {
  const [, part] = new RegExp(`^## ${heading}\n([^]*?)(?=^## |(?![^]))`, 'm').exec(page) ?? [];
  if (part === undefined) throw new Error(`There is no heading "${heading}"`);
  return part.trim();
}

/** The declaration in `tiny.ts` that has these words, with its comment. */
function declared(words: string): string {
  const found = read('tiny.ts')
    .split(/\n(?=\n|export |const )/)
    .find((part) => part.includes(words));
  if (found === undefined) throw new Error(`tiny.ts has no "${words}"`);
  return found;
}

function stepSlide(name: string): string {
  const source = read(`steps/step-${name}.ts`);
  const [head = ''] = source.split('*/');
  const [title = '', ...parts] = head
    .replace(/^\/\*\*\n/, '')
    .replaceAll(/^ \* ?/gm, '')
    .split(/\n\n(?! )/);
  const part = (begin: string) => parts.find((one) => one.startsWith(begin))?.replaceAll('\n', ' ') ?? '';
  const commands = head.match(/(?<=^ \* {5}).+$/gm) ?? [];
  return slide(
    title.trim().replace(/\.$/, ''),
    paragraphs(part('Without it')),
    code(commands.join('\n')),
    paragraphs(part('Added')),
  );
}

const teacher = read('teacher.md');
const question = under(teacher, 'The question on paper').split('\n\n')[0]!;
const words = [...read('glossary.md').matchAll(/^\| (\*\*.+?) \| (.+) \|$/gm)];

const slides = [
  slide(
    'What happens between a socket and a handler',
    listed(under(teacher, 'Goals').match(/(?<=^- ).+(?:\n  .+)*/gm) ?? []),
  ),
  slide(
    'The whole idea in types',
    code(['type Context', 'type Reply', 'type Handler', 'type Stage'].map(declared).join('\n')),
  ),
  slide(
    'What makes one handler of a list?',
    code(declared('const pipeline').replace(/=>\n[^]*/, '=>\n  ?')),
    paragraphs('Which stage can be given its `next` first? Say what `[a, b]` and `end` become.'),
  ),
  slide('The fold', code(declared('const pipeline')), code('context => a(context, context => b(context, end))')),
  slide('A route is a stage', code(declared('function route'))),
  slide(
    'From a request to a response',
    code(declared('function service')),
    paragraphs('What happens when a handler throws a string?'),
  ),
  slide(
    'Ask it why',
    code('npm run explain -- GET /api/todo\nnpm run explain -- GET /nowhere'),
    paragraphs('Predict first: which stages see the request, and which see the reply?'),
  ),
  ...lessons()
    .slice(0, LESSONS)
    .map(({ number, title, text }) => {
      const [, ...parts] = text.split('\n\n');
      const shown = parts.filter((part) => /^(?:Predict|Do)/.test(part));
      return slide(`Lesson ${number}: ${title}`, paragraphs(...shown), code(`npm run learn -- ${number}`));
    }),
  ...STEPS.map(stepSlide),
  slide('One question on paper', paragraphs(question)),
  `<section class="sheet">\n<h2>To take along</h2>\n<dl>\n${words
    .map(([, word, text]) => `<dt>${prose(word!)}</dt><dd>${prose(text!)}</dd>`)
    .join('\n')}\n</dl>\n${code(declared('const pipeline'))}\n${code(
    'npm run learn\nnpm run learn -- 3\nnpm run learn -- 3 --hint\nnpm run learn -- --reset 3',
  )}\n${paragraphs(question)}\n</section>`,
];

/** The page, for the file or for the test. */
export const slidesPage = (): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>What happens between a socket and a handler</title>
<style>
  html { scroll-snap-type: y proximity; color: #1f2328; background: #fff; }
  html { font: clamp(15px, 1.7vw, 28px)/1.45 system-ui, sans-serif; }
  body { margin: 0; }
  section { box-sizing: border-box; min-height: 100vh; padding: 4vh 6vw; scroll-snap-align: start; }
  h2 { margin: 0 0 .6em; font-size: 1.5em; }
  pre { overflow-x: auto; padding: .7em; border-radius: 6px; background: #f3f5f7; font-size: .72em; }
  code { background: #f3f5f7; }
  .sheet { font-size: .58em; }
  .sheet dl { columns: 3; column-gap: 2em; }
  dt { font-weight: bold; break-after: avoid; }
  dd { margin: 0 0 .3em 1em; }
  @page { size: A4 landscape; margin: 12mm; }
  @media print {
    html { font-size: 13pt; }
    section { min-height: 0; padding: 0; break-after: page; break-inside: avoid; }
    section:last-of-type { break-after: auto; }
    pre { white-space: pre-wrap; }
    .sheet { font-size: 7.5pt; }
  }
</style>
${slides.map((one, at) => one.replace('<section', `<section id="${at + 1}"`)).join('\n')}
<script>
  const STEPS = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };
  addEventListener('keydown', (event) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const slides = [...document.querySelectorAll('section')];
    const at = slides.findIndex((slide) => slide.getBoundingClientRect().bottom > innerHeight / 2);
    slides[at + step]?.scrollIntoView();
  });
</script>
</html>
`;

if (process.argv[1] === import.meta.filename) writeFileSync(FILE, slidesPage());
