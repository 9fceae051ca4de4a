/** Decides how the body of an operation is read: as JSON, or by the body that it declares (D74). */

import type { Context } from '../../message/context.ts';
import { isOwnBody, type OwnBody, ownBody } from '../operation/own-body.ts';
import type { PropertyNaming } from '../schema/names.ts';
import type { Schema } from '../schema/schema.ts';
import { bodyValidator } from '../schema/validate.ts';
import { readJsonBody } from './json-body.ts';

/** Reads the body and calls `answer` with its value, and with the text of JSON. Rejects with an `HttpProblem`. */
type BodyReader = <Result>(
  context: Context,
  answer: (body: unknown, text?: string) => Result | Promise<Result>,
) => Promise<Result>;

/** The reader of the declared bodies. Throws for a schema that cannot be compiled. */
export function bodyReader(declared: Schema | OwnBody, naming: PropertyNaming): BodyReader {
  if (!isOwnBody(declared)) {
    const validate = bodyValidator(declared, naming);
    return (context, answer) => readJsonBody(context, validate, answer);
  }
  const read = declared[ownBody].reader(declared);
  return (context, answer) => read(context).then((body) => answer(body));
}
