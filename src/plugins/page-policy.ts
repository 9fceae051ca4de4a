/**
 * What a browser may do on the page (D18): everything comes from this origin, nothing is inline, nobody may frame it.
 * `data:` is for the icons in Swagger UI's style sheet. An own page and its files are held to the same.
 */
export const PAGE_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
  + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
