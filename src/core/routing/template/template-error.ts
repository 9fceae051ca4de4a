/**
 * Formats a mistake in the declaration of a route: the template, a caret below the mistake, the cause and the remedy.
 *
 *     Cannot add route "files/{a}{b}": parameters "a" and "b" touch; put a literal between them
 *       files/{a}{b}
 *                ^
 */

/** One mistake in one route. `RouteCollection.add` throws all mistakes of its routes together. */
export class TemplateError extends SyntaxError {
  readonly template: string;
  /** Where the mistake is in the template, in UTF-16 units from 0. */
  readonly offset: number;
  readonly problem: string;
  readonly remedy: string;

  constructor(template: string, offset: number, problem: string, remedy: string, options?: ErrorOptions) {
    const line = template.replaceAll(/[\r\n\t]/g, ' ');
    super(`Cannot add route "${template}": ${problem}; ${remedy}\n  ${line}\n  ${' '.repeat(offset)}^`, options);
    this.name = 'TemplateError';
    this.template = template;
    this.offset = offset;
    this.problem = problem;
    this.remedy = remedy;
  }
}

export function fail(template: string, offset: number, problem: string, remedy: string): never {
  throw new TemplateError(template, offset, problem, remedy);
}
