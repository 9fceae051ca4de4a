/** Reads a form while it arrives: first its texts, then its files, each as a stream (D74). */
import { Readable } from 'node:stream';
import { HttpProblem } from '../../core/message/problem.ts';
import type { Violation } from '../../core/message/reply.ts';
import type { FormFields } from '../operation/own-body.ts';
import type { ParameterValues } from '../parameters/parameter.ts';
import { groupedBy, placeReader } from '../parameters/read-values.ts';
import { type FilesOf, fileFields, sentText, textFields, typeFault } from './form.ts';
import { charsetIn, type FormType, isCharsetName, type SentText, textOf } from './form-text.ts';
import { Multipart } from './multipart.ts';

/** The form that a handler gets. */
export interface FormStream<Fields> {
  /** The values of the text fields. A field may be absent if it is not required and has no default. */
  readonly fields: ParameterValues<Omit<Fields, FilesOf<Fields>>>;
  /**
   * The files in the order in which they are sent. If the handler asks for the next file, the unread rest of the
   * current file is skipped. The stream of this file then fails, so that a handler never mistakes half a file for a
   * whole file (D74). The iteration throws the `HttpProblem` that refuses the request, or `ClientGone`. Leaving the
   * loop ends the upload.
   */
  readonly files: AsyncIterableIterator<StreamedFile<FilesOf<Fields> & string>>;
}

/** One file. The media type and the name come from the client, so check the bytes before you rely on them. */
export interface StreamedFile<Field extends string = string> {
  /** The declared name of the file's field. */
  readonly field: Field;
  readonly name: string;
  readonly type: string;
  /**
   * The bytes of the file, with backpressure. Fails if the iteration fails, or if the handler asks for the next file.
   */
  readonly stream: Readable;
}

/** The most bytes of all texts together. They are limited because they stay in memory. */
const MAX_TEXTS = 64 * 1024;

/**
 * Returns a function that reads a form from its stream. The function resolves when the texts before the first file have
 * arrived. It rejects with an `HttpProblem`: 400 with an error for each wrong text, 413 for too long texts, 415 for an
 * unknown charset. The charset in a field `_charset_` applies to all texts, and to the names after this field. A text
 * after a file is refused with 400. A file above its `maxBytes` is refused with 413. `form` refuses such a file with a
 * 400 that lists all errors, but here the handler is already running (D74).
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
    const sentFiles = new Set<string>();
    let left = MAX_TEXTS;
    let areTextsRead = false;

    /** Resolves to the next file. Collects the texts before it. `begun` is the first piece of the file, if read. */
    const nextFile = async () => {
      for (let part = await parts.next(); part !== undefined; part = await parts.next()) {
        const written = textOf(part.name, form);
        const undeclared = written.toLowerCase() === '_charset_' ? '_charset_' : undefined;
        const [name = undeclared] = grouped([[written, part]]).keys();
        if (name === undefined) throw refused(written, 'This form has no field of this name');
        const file = files.get(name);
        if (part.fileName === undefined) {
          if (file !== undefined) throw refused(name, 'Expected a file, not a text');
          if (areTextsRead) throw refused(name, 'Expected before the files');
          const tooLong = () => new HttpProblem(413, `The texts of the form are longer than ${MAX_TEXTS} bytes`);
          const content = await parts.content(left, tooLong);
          for (const { length } of content) left -= length;
          const text = sentText(content, part.type);
          sent.push([name, text]);
          if (isCharsetName(part.name)) form = { ...form, charset: form.charset ?? charsetIn(text) };
          continue;
        }
        // For a file input without a selected file, browsers send an empty file without a name.
        const fileName = textOf(part.fileName, form);
        const begun = fileName === '' ? await parts.piece() : undefined;
        if (fileName === '' && begun === undefined) continue;
        const fault = file === undefined ? 'Expected a text, not a file' : typeFault(file, part.type);
        if (sentFiles.has(name) || fault !== undefined) throw refused(name, fault ?? 'Expected one file, not several');
        sentFiles.add(name);
        return { field: name, name: fileName, type: part.type, begun, maxBytes: file!.maxBytes };
      }
      return undefined;
    };
    const missing = (): Violation[] =>
      [...files].flatMap(([name, { required }]) =>
        required === true && !sentFiles.has(name) ? [violation(name, 'This parameter is required')] : [],
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

/** Returns a stream of the content of the current part. `begun` is the first piece of the content, if it was read. */
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
  // Ignores errors, because the handler may have replied or left the loop, and no longer listen for them.
  return stream.on('error', () => {});
}

const notReadOn = (): Error =>
  new Error('Cannot read the rest of the file: its loop has moved on or ended; read the file to its end first');

const violation = (parameter: string, detail: string): Violation => ({ parameter, in: 'formData', detail });
const refused = (name: string, detail: string, status = 400): HttpProblem => refusal([violation(name, detail)], status);
const refusal = (errors: readonly Violation[], status = 400): HttpProblem =>
  new HttpProblem(status, 'The form does not match its declaration; send the texts before the files', { errors });
