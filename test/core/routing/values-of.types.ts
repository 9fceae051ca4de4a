/** `ValuesOf` gives the parameters of a template as a type. `npm run typecheck` checks it (§4.3, template syntax). */
import { route } from '../../../src/core/routing/route.ts';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
import type { TypedValuesOf, ValuesOf } from '../../../src/core/routing/template.ts';

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
type Flat<Shape> = { [Name in keyof Shape]: Shape[Name] };
const is = <_Check extends true>(): void => {};

is<Same<Flat<ValuesOf<'api/todo/{id}'>>, { readonly id: string }>>();
is<
  Same<
    Flat<ValuesOf<'{lang}/{id:int}/{page=1}/{sort?}'>>,
    { readonly lang: string; readonly id: string; readonly page: string; readonly sort?: string }
  >
>();
is<Same<Flat<ValuesOf<'files/{filename}.{ext:alpha?}'>>, { readonly filename: string; readonly ext?: string }>>();
is<Same<Flat<ValuesOf<'{*rest:regex(a=b)=x}'>>, { readonly rest: string }>>();

// The argument of a constraint does not name a constraint.
const typed = <Template extends string>(values: Partial<TypedValuesOf<Template>>): void => void values;
typed<'{t:regex(^a:int:b$)}'>({ t: 'a:int:b' });
typed<'{t:regex(^(a|b):int:c$)}'>({ t: 'a:int:c' });
typed<'{t:regex(^[)]:int:c$)}'>({ t: '):int:c' });
typed<'{t:regex(^a:b$):INT?}/{n:range(1,5):required}/{m:max(5)=1}'>({ t: 1, n: 2n, m: 3n });
typed<'{t:regex(^(a|b)$):int}/{u:length(2):bool?}'>({ t: 1, u: true });
// @ts-expect-error A text, although the constraint after the expression makes it a number
typed<'{t:regex(^a:b$):int}'>({ t: '1' });

const routes = new RouteCollection();
routes.add(
  route({
    method: 'GET',
    path: 'a/{id}/{more?}',
    handle: ({ values }) => {
      const id: string = values.id;
      const more: string | undefined = values.more;
      throw new Error(id + more);
    },
  }),
);
routes.add(
  route({
    method: 'GET',
    path: 'a/{id}',
    handle: ({ values }) => {
      // @ts-expect-error the template has no such parameter
      throw new Error(values.key);
    },
  }),
);
