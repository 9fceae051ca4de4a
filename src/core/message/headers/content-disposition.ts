/**
 * Writes the header under which a browser saves a download (RFC 6266, RFC 8187).
 *
 * A name in ASCII stands in quotes. Any other name is given twice: for all clients with the characters that every one
 * of them reads, and in UTF-8, which takes precedence (RFC 6266 §4.3). A client may drop what it takes for a path, an
 * escape or a control character, so those are underscores here and the name is the same everywhere (RFC 6266 §5).
 */

/** The `Content-Disposition` of a download with this name; the client chooses a name where it is empty. */
export function downloadDisposition(name: string): string {
  const safe = name.replace(UNSAFE, '_');
  if (safe === '') return 'attachment';
  const plain = safe.replace(/%(?=[\da-f]{2})/gi, '_').replace(/[^ -~]|"/gu, '_');
  const quoted = `attachment; filename="${plain}"`;
  return plain === safe ? quoted : `${quoted}; filename*=UTF-8''${extended(safe)}`;
}

/** Separators of paths, control characters, and surrogates that are no character. */
const UNSAFE = /[/\\\p{Cc}\p{Cs}]/gu;

/** RFC 8187 §3.2.1. */
const extended = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
