/** Declares the error of a collection that has no room: 507 (RFC 4918 §11.5), with `Retry-After`. */
import { HttpProblem } from '../../http/message/problem.ts';

/** Thrown before anything is changed. A handler lets it pass and declares the 507 (`responses.ts`). */
export class CollectionFull extends HttpProblem {
  constructor(detail: string) {
    super(507, detail, { headers: { 'Retry-After': '60' } });
  }
}
