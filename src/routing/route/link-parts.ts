/** Holds the parts of a template as a link needs them: in order, with encoded literals and folded names. */
import type { Parameter, Segment } from '../template/template.ts';
import { encode } from '../text/encode.ts';
import { foldCase } from '../text/fold-case.ts';

export interface LinkPart {
  readonly startsSegment: boolean;
  /** The encoded text of a literal; empty for a parameter. */
  readonly literal: string;
  /** The folded name of a parameter; empty for a literal. */
  readonly key: string;
  readonly parameter: Parameter | undefined;
  /** True for an optional parameter after a period, which is omitted together with the value. */
  readonly followsSeparator: boolean;
}

/** The parts of one template, made when the first link is made: most routes never make one. */
export class LinkParts {
  readonly #segments: readonly Segment[];
  #all: readonly LinkPart[] | undefined;
  #parameters: readonly LinkPart[] | undefined;

  constructor(segments: readonly Segment[]) {
    this.#segments = segments;
  }

  get all(): readonly LinkPart[] {
    return (this.#all ??= this.#segments.flatMap(partsOf));
  }

  get parameters(): readonly LinkPart[] {
    return (this.#parameters ??= this.all.filter((part) => part.parameter !== undefined));
  }
}

function partsOf(segment: Segment): readonly LinkPart[] {
  return segment.map((part, index) => {
    const startsSegment = index === 0;
    const before = segment[index - 1];
    if (part.kind === 'literal')
      return { startsSegment, literal: encode(part.text), key: '', parameter: undefined, followsSeparator: false };
    const followsSeparator = part.optional && before?.kind === 'literal' && before.optionalSeparator;
    return { startsSegment, literal: '', key: foldCase(part.name), parameter: part, followsSeparator };
  });
}
