/** Declares the error for a full collection: 507 (RFC 4918 §11.5) with `Retry-After`. */
import { HttpProblem } from '../../http/message/problem.ts';

/** Thrown before anything has changed. A handler does not catch it; its operation declares the 507 (`responses.ts`). */
export class CollectionFull extends HttpProblem {
  constructor(detail: string) {
    super(507, detail, { headers: { 'Retry-After': '60' } });
  }
}
