/** Makes the value of a form of its parts, and validates it: 400 with every field that is wrong (D74). */
import { parseContentType } from '../../http.ts';
import { HttpProblem, type Violation } from '../../index.ts';
import { groupedBy, placeReader } from '../../operations.ts';
import type { Spending } from '../../routing.ts';
import { isInRanges } from './accepted-media-type.ts';
import { type FileDeclaration, type FormFields, fileFields, textFields } from './form-fields.ts';
import type { SentParts } from './parse-form.ts';

type SentFields = ReadonlyMap<string, readonly (string | File)[]>;

/**
 * The function that makes the value. It throws an `HttpProblem` that names every violation. `spending` is that of the
 * request.
 */
export function formReader(fields: FormFields): (parts: SentParts, spending?: Spending) => unknown {
  const grouped = groupedBy(Object.keys(fields));
  const texts = textFields(fields);
  const files = fileFields(fields);
  const readTexts = placeReader(
    texts,
    'formData',
    (sent: SentFields) => (name) => (sent.get(name) ?? []).filter(isText),
  );
  return (parts, spending) => {
    const sent = grouped(parts.filter(([, value]) => !isUnused(value)));
    const violations: Violation[] = [];
    const found = readTexts(sent, violations, spending);
    const misplaced = Object.keys(texts).filter((name) => sent.get(name)?.some((value) => !isText(value)));
    const errors = [
      ...violations.filter(({ parameter }) => !misplaced.includes(parameter!)),
      ...misplaced.map((name) => violation(name, 'Expected a text, not a file')),
      ...files.flatMap(([name, file]) => {
        const fault = fileFault(file, sent.get(name) ?? []);
        return fault === undefined ? [] : [violation(name, fault)];
      }),
    ];
    if (errors.length > 0) throw new HttpProblem(400, 'The form is not what this operation takes', { errors });
    const given = files.flatMap(([name]) => (sent.has(name) ? [[name, sent.get(name)![0]]] : []));
    return { ...(found as object), ...Object.fromEntries(given) };
  };
}

const isText = (value: string | File): value is string => typeof value === 'string';

/** A browser sends such a file for an input that nobody has used. */
const isUnused = (value: string | File): boolean => !isText(value) && value.name === '' && value.size === 0;

const violation = (parameter: string, detail: string): Violation => ({ parameter, in: 'formData', detail });

function fileFault({ required, mediaTypes, maxBytes }: FileDeclaration, sent: readonly (string | File)[]) {
  const [file] = sent;
  if (file === undefined) return required === true ? 'This parameter is required' : undefined;
  if (sent.length > 1) return `Expected one file, not ${sent.length}`;
  if (isText(file)) return 'Expected a file, not a text';
  if (maxBytes !== undefined && file.size > maxBytes)
    return `Expected a file of at most ${maxBytes} bytes, not ${file.size}`;
  const type = parseContentType(file.type)?.type ?? '';
  if (mediaTypes === undefined || isInRanges(type, mediaTypes)) return undefined;
  return `Expected a file of ${mediaTypes.join(' or ')}, not ${JSON.stringify(type)}`;
}
