/** Defines judges, which compare values with a schema, and their common steps: reporting faults and checking types. */
import type { Violation } from '../../core/http/reply.ts';
import { article } from '../../core/options/assert-options.ts';
import { keywordChecks, typeCheck, typeText, valueText } from './keyword-checks.ts';
import { type PropertyNaming, pointerTo } from './names.ts';
import type { Schema } from './schema.ts';

/** The action of a judge on a value, and its options. */
export interface Purpose {
  /**
   * `read`: for a value of a client. Ignores the case of names, fills in absent members, and ignores unknown members.
   * `check`: reports unknown members. `copy`: checks only types, and leaves out unknown members.
   */
  readonly act: 'read' | 'check' | 'copy';
  /** The spelling of the names in the value. */
  readonly from: PropertyNaming;
  /** The spelling of the names in the copy. The default is the spelling in the code. */
  readonly to?: PropertyNaming;
  /** Whether a checked or copied value may have `writeOnly` properties. */
  readonly allowsWriteOnly?: boolean;
  /** Whether the copy decides which schema of a choice fits. It then checks keywords and reports unknown members. */
  readonly isTrial?: boolean;
}

/** Returns whether a judge checks only types, and leaves out unknown members. */
export const isLenient = ({ act, isTrial = false }: Purpose): boolean => act === 'copy' && !isTrial;

/** Reports violations, and returns a copy with the spelling of the purpose. After a violation, do not use the copy. */
export type Judge = (value: unknown, state: Judging) => unknown;

/** The state while one value is judged. */
export interface Judging {
  readonly errors: Violation[];
  /** The number of faults so far, and the number at which the judge stops. */
  faults: number;
  most: number;
  /** The names and indexes that lead to the current value. */
  readonly path: (string | number)[];
  /** The number of references that lead to the current value. */
  depth: number;
}

/** Returns a new state. At most `most` faults are reported. */
export const newState = (most = 100): Judging => ({
  errors: [],
  faults: 0,
  most,
  path: [],
  depth: 0,
});

export function report(state: Judging, detail: string, path: Judging['path'] = state.path): undefined {
  state.faults += 1;
  // A pointer is created only if it is reported, because that takes longer than judging the value.
  if (state.faults <= state.most) state.errors.push({ pointer: pointerTo(path), detail });
}

/** Returns whether the judge can stop, because the list of faults is full. */
export const isEnough = ({ faults, most }: Judging): boolean => faults >= most;

/** Reports the fault of a value. `expected` and `found` describe the expected value and the actual value. */
export const refuse = (state: Judging, { act }: Purpose, expected: string, found?: string): undefined =>
  report(
    state,
    act === 'read' ? `Expected ${expected}${found === undefined ? '' : `, not ${found}`}` : `is not ${expected}`,
  );

function refuseType(state: Judging, purpose: Purpose, schema: Schema, value: unknown): undefined {
  if (purpose.act === 'copy') return report(state, `is ${inWords(value)}, not ${typeText(schema)}`);
  return refuse(state, purpose, typeText(schema), valueText(schema, value));
}

/** Returns the type of any JavaScript value in words, such as `a map`. */
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

/** Returns a judge that reports a wrong type and violated keywords. If the type is right, it calls `judgeTyped`. */
export function typedJudge(
  schema: Schema,
  purpose: Purpose,
  judgeTyped: Judge = (value) => value,
  isOfType = typeCheck(schema, purpose.act === 'read'),
): Judge {
  const { act } = purpose;
  const checks = isLenient(purpose) ? [] : [...keywordChecks(schema)];
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

/** Returns whether the value has a `toJSON` method, as a `Date` does. */
export const isSelfWriting = (value: unknown): value is { toJSON(): unknown } =>
  typeof (value as { readonly toJSON?: unknown } | null | undefined)?.toJSON === 'function';
