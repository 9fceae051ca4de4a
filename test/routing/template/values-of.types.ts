/** `ValuesOf` gives the parameters of a template as a type. `npm run typecheck` checks it (§4.3, template syntax). */
import { route } from '../../../src/routing/route/route.ts';
import { RouteCollection } from '../../../src/routing/route-collection.ts';
import type { ValuesOf } from '../../../src/routing/template/values-of.ts';

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
