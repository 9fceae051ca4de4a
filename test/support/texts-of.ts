/** Returns violations without their keywords and limits, which `test/operations/routes/violations.test.ts` compares. */
export const textsOf = (errors: unknown): unknown =>
  (errors as readonly Record<string, unknown>[] | undefined)?.map(({ keyword: _, limit: __, ...texts }) => texts);
