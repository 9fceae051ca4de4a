/** Makes an example of a path for a route. */
import { acceptsValue } from './match/accepts-value.ts';
import type { PreparedRoute } from './route/prepared-route.ts';
import type { Parameter } from './template/template.ts';

const SAMPLES = [
  'x',
  '1',
  '42',
  'abc',
  'true',
  '2009-05-12',
  '1.5',
  '00000000-0000-0000-0000-000000000000',
  'abcdefgh',
  '12345678',
  'a',
  'list',
];

/** Returns a path of `count` segments. It matches if each constrained value accepts its name or one of the samples. */
export function examplePath({ route, constrained }: PreparedRoute, count: number): string {
  const valueOf = (parameter: Parameter): string => {
    const constraints = constrained.find((value) => value.parameter === parameter)?.constraints ?? [];
    const samples = [parameter.name, ...SAMPLES];
    return samples.find((sample) => constraints.every((one) => acceptsValue(one, sample))) ?? SAMPLES[0]!;
  };
  const segments = route.template.segments
    .slice(0, count)
    .map((parts) => parts.map((part) => encodeURIComponent(part.kind === 'literal' ? part.text : valueOf(part))));
  return `/${segments.map((parts) => parts.join('')).join('/')}`;
}
