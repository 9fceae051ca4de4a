/**
 * Finds the ends of HTTP answers in what a connection delivers: by `Content-Length`, which every measured answer has.
 */

const END = Buffer.from('\r\n\r\n');
/** As Node writes the name, and as some libraries do. */
const LENGTHS = ['Content-Length', 'content-length'].map((name) => Buffer.from(`\r\n${name}: `));

/** The answers of one connection. */
export class Answers {
  #head = undefined;
  #missing = 0;
  /** Answers whose status was not 200, 201, 204 or 304. */
  bad = 0;

  /** How many answers this chunk completes. */
  completedBy(chunk) {
    let completed = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#missing > 0) {
        const taken = Math.min(this.#missing, chunk.length - at);
        this.#missing -= taken;
        at += taken;
        if (this.#missing === 0) completed++;
        continue;
      }
      if (this.#head !== undefined) {
        chunk = Buffer.concat([this.#head, chunk]);
        this.#head = undefined;
      }
      const end = chunk.indexOf(END, at);
      if (end < 0) {
        this.#head = chunk.subarray(at);
        break;
      }
      this.#missing = lengthIn(chunk, at, end);
      if (!isExpected(chunk, at + 9)) this.bad++;
      at = end + 4;
      if (this.#missing === 0) completed++;
    }
    return completed;
  }
}

function lengthIn(chunk, from, end) {
  const head = chunk.subarray(from, end);
  const found = Math.max(head.indexOf(LENGTHS[0]), head.indexOf(LENGTHS[1]));
  if (found < 0) return 0;
  let length = 0;
  for (let at = found + LENGTHS[0].length; head[at] >= 48 && head[at] <= 57; at++) length = length * 10 + head[at] - 48;
  return length;
}

/** 200, 201, 204, 304, by the digits: 2 0 0|1|4, or 3 0 4. */
const isExpected = (chunk, at) => chunk[at] === 50 || (chunk[at] === 51 && chunk[at + 2] === 52);
