/** Judges values of a choice (`oneOf`). The discriminator selects the schema, or else each schema is tried. */
import { isRecord } from '../../core/options/shape.ts';
import { type Judge, type Judging, judgeMember, type Purpose, refuse, report } from './judging.ts';
import { valueText } from './keyword-checks.ts';
import { foundNames, type Members } from './members.ts';
import { propertyLookup, wireName } from './names.ts';
import { branchesOf, type Scalar, type Schema } from './schema.ts';

/**
 * Returns the judge of a choice. `judges` has the judge of each schema. `judgeFor` creates the judge of the choice for
 * another purpose. A copy uses the schema that the discriminator selects, else the first schema that describes all
 * members, else the first schema that the value matches, else the schema that copies the most members (D68).
 */
export function choiceJudge(
  schema: Schema,
  judges: readonly Judge[],
  purpose: Purpose,
  judgeFor: (purpose: Purpose) => Judge,
): Judge {
  const { oneOf = [], discriminator } = schema;
  const { act, from, attempt } = purpose;
  const selected = new Map(
    Array.from(branchesOf(schema), ([value, branch]) => [value, judges[oneOf.indexOf(branch)]!] as const),
  );
  const name = discriminator === undefined ? '' : wireName(discriminator.propertyName, from);
  if (act === 'copy') {
    // Nested choices use the same attempt, so the time does not grow with the square of the depth.
    const attempts = (['whole', 'fitting', 'typed'] as const).map((name) => ({ ...purpose, attempt: name }));
    const undecided =
      attempt === 'typed'
        ? fullestFitting(judges)
        : firstFitting(attempt === undefined ? attempts.map(judgeFor) : judges);
    return (value, state) => (selected.get((value as Members | null)?.[name] as Scalar) ?? undecided)(value, state);
  }
  if (discriminator === undefined)
    return (value, state) => {
      const fitting = judges.flatMap((judge) => tried(judge, value, state) ?? []);
      if (fitting.length === 1) return fitting[0]!.result;
      return refuse(state, purpose, `a value of exactly one of ${judges.length} schemas; ${fitting.length} fit`);
    };
  const lookUp = propertyLookup([name], act === 'read');
  const allowed = Array.from(selected.keys(), (value) => JSON.stringify(value)).join(', ');
  const refuseName: Judge = (_, state) => refuse(state, purpose, `one of ${allowed}`);
  return (value, state) => {
    if (!isRecord(value)) return refuse(state, purpose, 'an object', valueText({}, value));
    const [sent = name] = act === 'read' ? foundNames(value, lookUp) : [name];
    const judge = selected.get(value[sent] as Scalar);
    return judge === undefined ? judgeMember(refuseName, value, sent, state) : judge(value, state);
  };
}

const firstFitting =
  (judges: readonly Judge[]): Judge =>
  (value, state) => {
    for (const judge of judges) {
      const fitting = tried(judge, value, state);
      if (fitting !== undefined) return fitting.result;
    }
    return report(state, 'fits none of the schemas of its choice');
  };

/** Returns a judge that copies a value with the schema that copies the most members; if several do, with the first. */
const fullestFitting =
  (judges: readonly Judge[]): Judge =>
  (value, state) => {
    const results = judges.flatMap((judge) => tried(judge, value, state) ?? []).map(({ result }) => result);
    if (results.length === 0) return report(state, 'fits none of the schemas of its choice');
    return results.reduce((fullest, other) => (sizeOf(other) > sizeOf(fullest) ? other : fullest));
  };

const sizeOf = (value: unknown): number => (isRecord(value) ? Object.keys(value).length : 0);

/** Tries one schema of a choice. Returns undefined if the value does not match. Reports no faults. */
function tried(judge: Judge, value: unknown, state: Judging): { readonly result: unknown } | undefined {
  const { faults, most, isTrial } = state;
  Object.assign(state, { most: faults + 1, isTrial: true });
  const result = judge(value, state);
  const isFitting = state.faults === faults;
  Object.assign(state, { faults, most, isTrial });
  return isFitting ? { result } : undefined;
}
