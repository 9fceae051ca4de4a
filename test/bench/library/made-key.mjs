/**
 * Stands in the path of a request for the key of the item that the same connection has made last with a POST. The
 * project's own load generator fills it in.
 */
export const MADE = '{made}';
