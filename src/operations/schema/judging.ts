/** What a judge of values is for, its state, and what every judge does: it tells faults, and checks the type. */
import type { Violation } from '../../core/message/reply.ts';
import { article } from '../../core/options/assert-options.ts';
import { keywordChecks, typeCheck, typeText, valueText } from './keyword-checks.ts';
import { type PropertyNaming, pointerTo, type SentNames } from './names.ts';
import type { Schema } from './schema.ts';

/** What is done with a value, and how strictly. */
export interface Purpose {
  /**
   * `read`: a client has sent it, so names ignore case, absent members are filled in, and further ones are ignored.
   * `check`: nothing else may be there. `copy`: types alone count, and further members are left out.
   */
  readonly act: 'read' | 'check' | 'copy';
  /** The spelling of the names in the value. */
  readonly from: PropertyNaming;
  /** That of the names in the copy. Default: as in the code. */
  readonly to?: PropertyNaming;
  /** Whether a value that is checked or copied has what is `writeOnly`. */
  readonly allowsWriteOnly?: boolean;
  /** Of a copy in a choice: by which schemas it can be made. */
  readonly attempt?: Attempt;
}

/** `whole`: the schema describes every member. `fitting`: the value has the keywords. `typed`: it has the types. */
export type Attempt = 'whole' | 'fitting' | 'typed';

/** Whether a value needs more than its type. */
export const hasKeywords = ({ act, attempt = 'typed' }: Purpose): boolean => act !== 'copy' || attempt !== 'typed';

/** Reports violations, and returns the value with other names; after a violation it is not used. */
export type Judge = (value: unknown, state: Judging) => unknown;

/** The state while one value is judged. */
export interface Judging {
  readonly errors: Violation[];
  /** How many faults were found, and with how many the rest is not judged. */
  faults: number;
  most: number;
  /** Is a schema of a choice tried? Its faults are counted, and not told. */
  isTrial: boolean;
  /** The names and indexes that lead to the value that is judged. */
  readonly path: (string | number)[];
  /** How many references lead to the value that is judged. */
  depth: number;
  readonly text: string | undefined;
  readonly root: unknown;
  sentNames?: SentNames;
}

/**
 * The state for a body, which was parsed from `text` to `root`, or for a value that is sent. A hundred faults are told
 * of a long array of wrong values.
 */
export const newState = (text?: string, root?: unknown, most = 100): Judging => ({
  errors: [],
  faults: 0,
  most,
  isTrial: false,
  path: [],
  depth: 0,
  text,
  root,
});

export function report(state: Judging, detail: string, path: Judging['path'] = state.path): undefined {
  state.faults += 1;
  // The pointer of a value that is deep inside takes longer than to judge it.
  if (!state.isTrial && state.faults <= state.most) state.errors.push({ pointer: pointerTo(path), detail });
}

/** Is so much wrong that the rest is not judged? */
export const isEnough = ({ faults, most }: Judging): boolean => faults >= most;

/** Says what was expected, and what was found. */
export const refuse = (state: Judging, { act }: Purpose, expected: string, found?: string): undefined =>
  report(
    state,
    act === 'read' ? `Expected ${expected}${found === undefined ? '' : `, not ${found}`}` : `is not ${expected}`,
  );

function refuseType(state: Judging, purpose: Purpose, schema: Schema, value: unknown): undefined {
  if (purpose.act === 'copy') return report(state, `is ${inWords(value)}, not ${typeText(schema)}`);
  return refuse(state, purpose, typeText(schema), valueText(schema, value));
}

/** A value of any type, of JSON or not: `a map`. */
const inWords = (value: unknown): string =>
  value === null || value === undefined || typeof value === 'number'
    ? String(value)
    : article(Object.prototype.toString.call(value).slice(8, -1).toLowerCase());

/** Judges a member, unless the list of violations is full. */
export function judgeMember(judge: Judge, value: unknown, member: string | number, state: Judging): unknown {
  if (isEnough(state)) return undefined;
  state.path.push(member);
  const result = judge(value, state);
  state.path.pop();
  return result;
}

/** Reports the type and the keywords that a value does not have; `judgeTyped` judges what is in one of the type. */
export function typedJudge(
  schema: Schema,
  purpose: Purpose,
  judgeTyped: Judge = (value) => value,
  isOfType = typeCheck(schema, purpose.act === 'read'),
): Judge {
  const { act } = purpose;
  const checks = hasKeywords(purpose) ? [...keywordChecks(schema)] : [];
  return function judge(value, state): unknown {
    if (!isOfType(value)) {
      if (act !== 'copy' || !isSelfWriting(value)) return refuseType(state, purpose, schema, value);
      const written = value.toJSON();
      return written === null && schema['x-nullable'] ? null : judge(written, state);
    }
    for (const check of checks) {
      const fault = check(value);
      if (fault !== undefined) refuse(state, purpose, fault);
    }
    return judgeTyped(value, state);
  };
}

/** Does the value write itself, as a `Date` does? */
export const isSelfWriting = (value: unknown): value is { toJSON(): unknown } =>
  typeof (value as { readonly toJSON?: unknown } | null | undefined)?.toJSON === 'function';
