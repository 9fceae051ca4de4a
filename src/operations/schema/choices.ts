/** Judges values of a choice (`oneOf`). The discriminator selects the schema, or else each schema is tried. */
import { isRecord } from '../../core/options/shape.ts';
import { type Judge, type Judging, judgeMember, newState, type Purpose, refuse, report } from './judging.ts';
import { typeText, valueText } from './keyword-checks.ts';
import { foundNames } from './members.ts';
import { propertyLookup, wireName } from './names.ts';
import { branchesOf, definitionName, joinedObject, type Scalar, type Schema } from './schema.ts';

/**
 * Returns the judge of a choice with a discriminator: the value of this member selects one of the `judges`, which have
 * the order of `oneOf`.
 */
export function selectedJudge(schema: Schema, judges: readonly Judge[], purpose: Purpose): Judge {
  const { oneOf = [], discriminator } = schema;
  const name = wireName(discriminator!.propertyName, purpose.from);
  const lookUp = propertyLookup([name], purpose.act === 'read');
  const selected = new Map(
    Array.from(branchesOf(schema), ([value, branch]) => [value, judges[oneOf.indexOf(branch)]!] as const),
  );
  const allowed = Array.from(selected.keys(), (value) => JSON.stringify(value)).join(', ');
  const refuseName: Judge = (_, state) => refuse(state, purpose, `one of ${allowed}`);
  return (value, state) => {
    if (!isRecord(value)) return refuse(state, purpose, 'an object', valueText({}, value));
    const [sent = name] = purpose.act === 'read' ? foundNames(value, lookUp) : [name];
    const judge = selected.get(value[sent] as Scalar);
    return judge === undefined ? judgeMember(refuseName, value, sent, state) : judge(value, state);
  };
}

/**
 * Returns the judge of a choice without a discriminator. A value must fit exactly one schema. A copy is made by the
 * first schema that fits the value and has all its members (D68).
 */
export function triedJudge({ oneOf = [] }: Schema, judges: readonly Judge[], purpose: Purpose): Judge {
  const names = oneOf.map(
    (branch) => branch[definitionName] ?? branch.$ref ?? typeText(joinedObject(branch) ?? branch),
  );
  const all = names.join(', ');
  if (purpose.act === 'copy')
    return (value, state) => {
      for (const judge of judges) {
        const fitting = tried(judge, value, state);
        if (fitting !== undefined) return fitting.result;
      }
      return report(state, `fits none of ${all} with all its members`);
    };
  return (value, state) => {
    const fitting = judges.flatMap((judge, at) => {
      const fit = tried(judge, value, state);
      return fit === undefined ? [] : { ...fit, name: names[at] };
    });
    if (fitting.length === 1) return fitting[0]!.result;
    const found = fitting.length === 0 ? 'it fits none' : `it fits ${fitting.map(({ name }) => name).join(', ')}`;
    return refuse(state, purpose, `exactly one of ${all}; ${found}`);
  };
}

/** Tries one schema of a choice. Returns undefined if the value does not fit. Reports no faults. */
function tried(judge: Judge, value: unknown, { depth }: Judging): { readonly result: unknown } | undefined {
  const trial = { ...newState(1), depth };
  const result = judge(value, trial);
  return trial.faults === 0 ? { result } : undefined;
}
