/** A form whose files are handed on while they come in (D74): its texts first, then one file after the other. */
import { Readable } from 'node:stream';
import { HttpProblem } from '../../core/message/problem.ts';
import type { Violation } from '../../core/message/reply.ts';
import type { FormFields } from '../../operations/operation/own-body.ts';
import type { ParameterValues } from '../../operations/parameters/parameter.ts';
import { groupedBy, placeReader } from '../../operations/parameters/read-values.ts';
import { type FilesOf, fileFields, sentText, textFields, typeFault } from './form.ts';
import { charsetIn, type FormType, isCharsetName, type SentText, textOf } from './form-text.ts';
import { Multipart } from './multipart.ts';

/** The values that a handler is given. */
export interface FormStream<Fields> {
  /** The texts. One that is neither required nor has a default may be absent. */
  readonly fields: ParameterValues<Omit<Fields, FilesOf<Fields>>>;
  /**
   * The files in the order in which they are sent. To ask for the next one skips what was not read of the one before.
   * The iteration fails with the problem that answers the request, and with `ClientGone`; to leave it ends the upload.
   */
  readonly files: AsyncIterableIterator<StreamedFile<FilesOf<Fields> & string>>;
}

/** One file. Media type and name are those that the client says; who needs the truth looks into its bytes. */
export interface StreamedFile<Field extends string = string> {
  /** The declared name of its field. */
  readonly field: Field;
  readonly name: string;
  readonly type: string;
  /** Its bytes, at the pace of who reads them. Fails as the iteration does, and once the next file is asked for. */
  readonly stream: Readable;
}

/** Of all texts together, in bytes: they stay in memory. */
const MAX_TEXTS = 64 * 1024;

/**
 * The function that makes the value of a form of its stream. It resolves once the texts are in, in front of the first
 * file, and rejects with an `HttpProblem`: 400 with every wrong text, 413 for too much of one, 415 for an
 * unknown charset. What a field `_charset_` names counts for all texts, and for the names that come behind it.
 */
export function formStreamReader(fields: FormFields) {
  const texts = textFields(fields);
  const files = new Map(fileFields(fields));
  const grouped = groupedBy(Object.keys(fields));
  const readTexts = placeReader<ReadonlyMap<string, readonly string[]>>(
    texts,
    'formData',
    (sent) => (name) => sent.get(name) ?? [],
  );

  return async (source: Readable, type: FormType): Promise<FormStream<FormFields>> => {
    const parts = new Multipart(source, type.boundary!);
    const sent: [name: string, text: SentText][] = [];
    let form = type;
    const seen = new Set<string>();
    let left = MAX_TEXTS;
    let areTextsRead = false;

    /** The next file that somebody has chosen, with what was read of it. Keeps the texts in front of it. */
    const nextFile = async () => {
      for (let part = await parts.next(); part !== undefined; part = await parts.next()) {
        const written = textOf(part.name, form);
        const undeclared = written.toLowerCase() === '_charset_' ? '_charset_' : undefined;
        const [name = undeclared] = grouped([[written, part]]).keys();
        if (name === undefined) throw refused(written, 'This form has no field of this name');
        const file = files.get(name);
        if (part.fileName === undefined) {
          if (file !== undefined) throw refused(name, 'Expected a file, not a text');
          if (areTextsRead) throw refused(name, 'Expected in front of the files');
          const tooLong = () => new HttpProblem(413, `The texts of the form are longer than ${MAX_TEXTS} bytes`);
          const content = await parts.content(left, tooLong);
          for (const { length } of content) left -= length;
          const text = sentText(content, part.type);
          sent.push([name, text]);
          if (isCharsetName(part.name)) form = { ...form, charset: form.charset ?? charsetIn(text) };
          continue;
        }
        // A browser sends such a file for an input that nobody has used.
        const fileName = textOf(part.fileName, form);
        const begun = fileName === '' ? await parts.piece() : undefined;
        if (fileName === '' && begun === undefined) continue;
        const fault = file === undefined ? 'Expected a text, not a file' : typeFault(file, part.type);
        if (seen.has(name) || fault !== undefined) throw refused(name, fault ?? 'Expected one file, not several');
        seen.add(name);
        return { field: name, name: fileName, type: part.type, begun, maxBytes: file!.maxBytes };
      }
      return undefined;
    };
    const missing = (): Violation[] =>
      [...files].flatMap(([name, { required }]) =>
        required === true && !seen.has(name) ? [violation(name, 'This parameter is required')] : [],
      );

    const first = await nextFile();
    const errors: Violation[] = [];
    const values = readTexts(grouped(sent.map(([name, text]) => [name, textOf(text, form)])), errors);
    if (first === undefined) errors.push(...missing());
    if (errors.length > 0) throw refusal(errors);
    areTextsRead = true;

    async function* streams() {
      let stream: Readable | undefined;
      try {
        for (let file = first; file !== undefined; file = await nextFile()) {
          const { field, name, type, begun, maxBytes } = file;
          stream = streamOf(parts, field, begun, maxBytes);
          yield { field, name, type, stream };
          stream.destroy(notReadOn());
        }
        const absent = missing();
        if (absent.length > 0) throw refusal(absent);
      } finally {
        stream?.destroy(notReadOn());
        source.destroy();
      }
    }
    return { fields: values, files: streams() } as unknown as FormStream<FormFields>;
  };
}

/** The content of the present part; `begun` was read of it before. */
function streamOf(parts: Multipart, field: string, begun: Buffer | undefined, maxBytes = Number.POSITIVE_INFINITY) {
  let length = 0;
  let next: Promise<Buffer | undefined> | undefined = begun && Promise.resolve(begun);
  const stream = new Readable({
    highWaterMark: 1,
    read() {
      const reading = next ?? parts.piece();
      next = undefined;
      reading.then(
        (piece) => {
          length += piece?.length ?? 0;
          if (length > maxBytes) stream.destroy(refused(field, `Expected a file of at most ${maxBytes} bytes`, 413));
          else stream.push(piece ?? null);
        },
        (error: Error) => stream.destroy(error),
      );
    },
  });
  // A handler that has answered, or does not want the rest, may not listen any more.
  return stream.on('error', () => {});
}

const notReadOn = (): Error =>
  new Error('Cannot read the file on: the next one was asked for, or the form was left; read it to its end before');

const violation = (parameter: string, detail: string): Violation => ({ parameter, in: 'formData', detail });
const refused = (name: string, detail: string, status = 400): HttpProblem => refusal([violation(name, detail)], status);
const refusal = (errors: readonly Violation[], status = 400): HttpProblem =>
  new HttpProblem(status, 'The form is not what this operation takes; its files come behind its texts', { errors });
