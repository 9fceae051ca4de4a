/** Finds the lessons: the folders beside this file whose names begin with two digits. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

export interface Lesson {
  /** `3`, as in `npm run learn 3`. */
  readonly number: number;
  /** `03-answer-early`. */
  readonly name: string;
  /** From the first line of the text, without the number. */
  readonly title: string;
  /** The content of `README.md`. */
  readonly text: string;
  readonly hint: string;
  /** The current content of the file that the learner edits. */
  readonly exercise: string;
  /** The content of the worked answer. */
  readonly answer: string;
}

const read = (name: string, file: string): string => readFileSync(join(FOLDER, name, file), 'utf8').trimEnd();

export const fileOf = ({ name }: Lesson, file: string): string => join(FOLDER, name, file);

/** The path from the root of the project, which a learner can open. */
export const shownPath = ({ name }: Lesson, file: string): string => `test/lessons/${name}/${file}`;

/** The answers are in a separate folder, so that nobody opens one by mistake. */
export const shownAnswer = ({ name }: Lesson): string => `test/lessons/answers/${name}.ts`;

/** Returns every lesson, in order. Throws if a file of a lesson is missing. */
export const lessons = (): readonly Lesson[] =>
  readdirSync(FOLDER)
    .filter((name) => /^\d\d-/.test(name))
    .sort()
    .map((name) => {
      const text = read(name, 'README.md');
      const title = text.split('\n', 1)[0]!.replace(/^# \d+\. /, '');
      const [hint, exercise] = [read(name, 'hint.md'), read(name, 'exercise.ts')];
      return {
        number: Number(name.slice(0, 2)),
        name,
        title,
        text,
        hint,
        exercise,
        answer: read('answers', `${name}.ts`),
      };
    });
