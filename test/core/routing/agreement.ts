/**
 * Compares the answers of routing with the recorded answers of a file, whose format `CaseFile` declares. Values are
 * compared by name, ignoring case and order.
 */
import { ConstraintTable } from '../../../src/core/routing/constraints/constraint-table.ts';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
import { parseTemplate, type Segment } from '../../../src/core/routing/template.ts';
import { collectionOf, unansweredRoute } from '../../support/unanswered.ts';
import type { CaseFile, CollectionCase } from './case-file.ts';
import { isOfNewer, isRounded } from './newer-version.ts';

/**
 * The number of cases of one kind, the number of accepted differences (`newer-version.ts`), and a line for each other
 * difference.
 */
export interface Tally {
  asked: number;
  newer: number;
  readonly differ: string[];
}

/** Compares all cases of a file. */
export function agreement(file: CaseFile): Record<'requests' | 'links' | 'constraints' | 'resolves' | 'parses', Tally> {
  const tally = (): Tally => ({ asked: 0, newer: 0, differ: [] });
  const result = { requests: tally(), links: tally(), constraints: tally(), resolves: tally(), parses: tally() };
  const compare = (
    kind: keyof typeof result,
    question: unknown,
    wanted: unknown,
    answer: () => unknown,
    isNewer = false,
  ): void => {
    result[kind].asked++;
    const want = canonical(wanted);
    let got: string;
    try {
      got = canonical(answer());
    } catch (error) {
      got = `threw ${String(error)}`;
    }
    if (got !== want && isNewer) result[kind].newer++;
    else if (got !== want) result[kind].differ.push(`${JSON.stringify(question)} → ${got}, not ${want}`);
  };
  for (const collection of file.collections ?? []) askCollection(collection, compare);
  for (const { id, constraint, outside, value, accept } of file.constraints ?? [])
    compare(
      'constraints',
      { id, constraint, outside, value },
      accept,
      () => accepts(constraint, outside ?? false, value),
      isRounded(constraint, value),
    );
  const table = new ConstraintTable();
  for (const { id, constraint, outcome } of file.resolves ?? [])
    compare('resolves', { id, constraint }, outcome, () => {
      try {
        table.make(constraint);
        return 'ok';
      } catch {
        return table.knows(constraint) ? 'error' : 'unresolved';
      }
    });
  for (const { id, template, parse, segments, route: outcome } of file.parses ?? [])
    compare(
      'parses',
      { id, template },
      { parse, segments: segments?.map((parts) => parts.map((part) => ({ ...part }))), route: outcome },
      () => parsed(template),
    );
  return result;
}

type Compare = (
  kind: 'requests' | 'links',
  question: unknown,
  wanted: unknown,
  answer: () => unknown,
  isNewer?: boolean,
) => void;

function askCollection(collectionCase: CollectionCase, compare: Compare): void {
  const { options, routes: routeCases, requests, links } = collectionCase;
  const routes = routeCases.map(({ template, verbs, ...rest }) =>
    unansweredRoute({ template, ...rest, ...(verbs !== undefined && { method: verbs }) }),
  );
  const collection = new RouteCollection(options).add(...routes);
  const all = [...collection];
  for (const { id, method, rawPath, route: index, values } of requests ?? [])
    compare(
      'requests',
      { id, method, rawPath, templates: routeCases.map(({ template }) => template) },
      index === null ? null : { index, values: named(values ?? {}) },
      () => {
        const match = collection.find(method, rawPath);
        return match ? { index: all.indexOf(match.route), values: named(match.values) } : null;
      },
    );
  for (const { id, ambient, values, routeName, path, route: index } of links ?? [])
    compare(
      'links',
      { id, ambient, values, routeName, routeCases },
      path === null ? null : { path, index: index ?? undefined },
      () => {
        const link = collection.link(values, {
          ambient: (ambient ?? {}) as Record<string, string>,
          ...(routeName !== null && { name: routeName }),
        });
        return link
          ? { path: link.path, index: index === undefined || index === null ? undefined : all.indexOf(link.route) }
          : null;
      },
      isOfNewer(collectionCase, values, path),
    );
}

function accepts(constraint: string, outside: boolean, value: string | null): boolean {
  const table = new ConstraintTable();
  if (!outside) return table.make(constraint).accepts(value === null ? undefined : String(value), 'match');
  // The route has no parameter: its only value is a default.
  const collection = collectionOf({ template: '', defaults: { x: value }, constraints: { x: constraint } });
  return collection.find('GET', '/') !== undefined;
}

function parsed(template: string): unknown {
  const read = parseTemplate(template);
  if (read.mistake) return { parse: 'error', route: 'error' };
  let outcome = 'ok';
  try {
    collectionOf(template);
  } catch {
    outcome = 'error';
  }
  return {
    parse: 'ok',
    route: outcome,
    segments: read.segments.map((segment) =>
      segment.map((part, at) =>
        part.kind === 'literal'
          ? { literal: part.text, ...(isOptional(segment[at + 1]) && { optionalSeparator: true }) }
          : {
              parameter: part.name,
              ...(part.catchAll && { catchAll: true }),
              ...(part.optional && { optional: true }),
              ...(part.default !== undefined && { default: part.default }),
              ...(part.constraints.length > 0 && {
                constraints: part.constraints.map((constraint) => constraint.text),
              }),
            },
      ),
    ),
  };
}

const isOptional = (part: Segment[number] | undefined): boolean => part?.kind === 'parameter' && part.optional;

const named = (values: Readonly<Record<string, string | null>>): unknown =>
  Object.entries(values)
    .map(([name, value]) => [name.toLowerCase(), value])
    .sort();

/** Returns the same text for equal data, ignoring the order of members. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part,
  );
