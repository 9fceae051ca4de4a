/**
 * What a link is written from: the parts of a template in order, literals already encoded, names already folded.
 *
 * It is made when the first link of a route is asked for, since most routes never are.
 */

import type { Parameter, Segment } from '../template/template.ts';
import { encode } from '../text/encode.ts';
import { foldCase } from '../text/fold-case.ts';

/** One part. */
export interface WrittenPart {
  /** Does a segment end before this part? */
  readonly begins: boolean;
  /** Of a literal, encoded. */
  readonly literal: string;
  /** Folded name of a parameter. */
  readonly key: string;
  readonly parameter: Parameter | undefined;
  /** Stands behind a period that goes when it has no value. */
  readonly separated: boolean;
}

/** The parts of one template. */
export class Writing {
  readonly #segments: readonly Segment[];
  #parts: readonly WrittenPart[] | undefined;
  #parameters: readonly WrittenPart[] | undefined;

  constructor(segments: readonly Segment[]) {
    this.#segments = segments;
  }

  get parts(): readonly WrittenPart[] {
    return (this.#parts ??= partsOf(this.#segments));
  }

  /** Those that are parameters. */
  get parameters(): readonly WrittenPart[] {
    return (this.#parameters ??= this.parts.filter((part) => part.parameter !== undefined));
  }
}

function partsOf(segments: readonly Segment[]): readonly WrittenPart[] {
  return segments.flatMap((segment) =>
    segment.map((part, index) => {
      const before = segment[index - 1];
      return part.kind === 'literal'
        ? { begins: index === 0, literal: encode(part.text), key: '', parameter: undefined, separated: false }
        : {
            begins: index === 0,
            literal: '',
            key: foldCase(part.name),
            parameter: part,
            separated: part.optional && before?.kind === 'literal' && before.optionalSeparator,
          };
    }),
  );
}
