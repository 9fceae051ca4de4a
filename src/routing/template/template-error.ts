/**
 * What a mistake in a declaration looks like: the template, a caret under the place, the cause and the remedy.
 *
 *     Cannot add route "files/{a}{b}": parameters "a" and "b" touch; put a literal between them
 *       files/{a}{b}
 *                ^
 *
 * A mistake in one route is no reason to hide those in the next: `RouteCollection.add` gathers them in one `AggregateError`.
 */

/** One mistake in one route. */
export class TemplateError extends SyntaxError {
  /** The template as it was written. */
  readonly template: string;
  /** Where in the template the mistake is, counted in UTF-16 units from 0. */
  readonly offset: number;
  /** What is wrong. */
  readonly problem: string;
  /** What to do about it. */
  readonly remedy: string;

  constructor(template: string, offset: number, problem: string, remedy: string, options?: ErrorOptions) {
    const place = template.replaceAll(/[\r\n\t]/g, ' ');
    super(`Cannot add route "${template}": ${problem}; ${remedy}\n  ${place}\n  ${' '.repeat(offset)}^`, options);
    this.name = 'TemplateError';
    this.template = template;
    this.offset = offset;
    this.problem = problem;
    this.remedy = remedy;
  }
}

/** Refuses a template. */
export function fail(template: string, offset: number, problem: string, remedy: string): never {
  throw new TemplateError(template, offset, problem, remedy);
}
