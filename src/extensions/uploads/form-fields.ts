/** Declares the fields of a form: parameters, as the query has them, and files (D74). */
import type { ParameterDeclaration, Parameters } from '../../index.ts';
import type { ParameterValues, SpokenMembers, SpokenParameter } from '../../operations.ts';

/** One file. Media type and name are those that the client says; who needs the truth looks into its bytes. */
export interface FileDeclaration {
  readonly type: 'file';
  readonly description?: string;
  /** The request is answered 400 without it. */
  readonly required?: boolean;
  /** Media types or ranges such as `image/*`. Default: any. */
  readonly mediaTypes?: readonly `${string}/${string}`[];
  /** In bytes. Default: what the body may have. */
  readonly maxBytes?: number;
}

/** Fields by name. */
export type FormFields = Readonly<Record<string, ParameterDeclaration | FileDeclaration>>;

/** The same fields, with `never` in place of each member that is not spoken. */
export type SpokenFields<Fields> = { readonly [Name in keyof Fields]: SpokenField<Fields[Name]> };

type SpokenField<Field> = Field extends { readonly type: 'file' }
  ? SpokenMembers<Field, FileDeclaration, keyof FileDeclaration, object>
  : SpokenParameter<Field, 'formData'>;

/** The values that a handler is given. One that is neither required nor has a default may be absent. */
export type FormValues<Fields> = ParameterValues<Omit<Fields, FileNames<Fields>>> &
  FileValues<Pick<Fields, FileNames<Fields>>>;

type FileNames<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly type: 'file' } ? Name : never;
}[keyof Fields];

type FileValues<Files> = { readonly [Name in RequiredOf<Files>]: File } & {
  readonly [Name in Exclude<keyof Files, RequiredOf<Files>>]?: File;
};

type RequiredOf<Files> = {
  [Name in keyof Files]: Files[Name] extends { readonly required: true } ? Name : never;
}[keyof Files];

/** The fields that are no files. */
export const textFields = (fields: FormFields): Parameters =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => (isFile(field) ? [] : [[name, field]])));

/** The fields that are files, by name. */
export const fileFields = (fields: FormFields): readonly (readonly [name: string, file: FileDeclaration])[] =>
  Object.entries(fields).flatMap(([name, field]) => (isFile(field) ? [[name, field] as const] : []));

const isFile = (field: ParameterDeclaration | FileDeclaration): field is FileDeclaration => field.type === 'file';
