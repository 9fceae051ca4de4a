/** Refuses, when routes are made, an upload that is declared wrongly (D74). */
import { assertParameter } from '../../core/operations/parameters/assert-parameter.ts';
import type { ParameterDeclaration } from '../../core/operations/parameters/parameter.ts';
import type { FileDeclaration, FormFields } from './form-fields.ts';
import { type FormBody, type Upload, uploadKind } from './upload.ts';

const MEMBERS = ['mediaTypes', 'maxBytes', 'fields'];
const FILE_MEMBERS = ['type', 'description', 'required', 'mediaTypes', 'maxBytes'];
const RANGE = /^(?:\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+))$/;

/** Throws a `TypeError` that names what is wrong and the remedy. `id` is that of the operation. */
export function assertUpload(upload: Upload, id: string): void {
  const isForm = upload[uploadKind] === 'form';
  const { fields } = upload as FormBody;
  const fault =
    surplus(upload, isForm ? MEMBERS : MEMBERS.slice(0, 2)) ??
    rangesFault(upload.mediaTypes) ??
    maxBytesFault(upload.maxBytes) ??
    (isForm ? namesFault(fields) : undefined);
  if (fault !== undefined) throw new TypeError(`Cannot use the body of the operation "${id}": ${fault}`);
  if (!isForm) return;
  for (const [name, field] of Object.entries(fields)) {
    const subject = `the form field "${name}" of the operation "${id}"`;
    if (field?.type !== 'file') assertParameter(name, field as ParameterDeclaration, 'formData', subject);
    else {
      const fileFault = name === '' ? 'it has no name; give one' : faultOfFile(field);
      if (fileFault !== undefined) throw new TypeError(`Cannot use ${subject}: ${fileFault}`);
    }
  }
}

function faultOfFile(file: FileDeclaration): string | undefined {
  const { required, description, mediaTypes, maxBytes } = file;
  if (required !== undefined && typeof required !== 'boolean')
    return `its "required" is ${JSON.stringify(required)}; give true or false`;
  if (description !== undefined && typeof description !== 'string') return 'its description is no text; give one';
  return surplus(file, FILE_MEMBERS) ?? (mediaTypes && rangesFault(mediaTypes)) ?? maxBytesFault(maxBytes);
}

function surplus(given: object, known: readonly string[]): string | undefined {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  return unknown && `it has the member "${unknown}"; use one of ${known.join(', ')}`;
}

function rangesFault(ranges: unknown): string | undefined {
  if (!Array.isArray(ranges) || ranges.length === 0) return "it has no media types; give one such as 'image/png'";
  const wrong: unknown = ranges.find((one) => typeof one !== 'string' || !RANGE.test(one));
  return wrong === undefined
    ? undefined
    : `${JSON.stringify(wrong)} is no media type; give one such as 'image/png', or a range such as 'image/*'`;
}

const maxBytesFault = (maxBytes: unknown): string | undefined =>
  maxBytes === undefined || (Number.isSafeInteger(maxBytes) && (maxBytes as number) > 0)
    ? undefined
    : `its maxBytes is ${String(maxBytes)}; give a count of bytes above 0`;

function namesFault(fields: FormFields): string | undefined {
  if (typeof fields !== 'object' || fields === null || Object.keys(fields).length === 0)
    return "its form has no fields; give { name: { type: 'string' } } or others";
  const names = Object.keys(fields);
  const twice = names.find((name, at) => names.findIndex((one) => one.toLowerCase() === name.toLowerCase()) < at);
  return twice && `its form has "${twice}" twice, as names ignore case; rename one`;
}
