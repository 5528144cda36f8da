const ID_LINE = Buffer.from("\nid: ");
const LINE_FEED = 10;
const NOTHING = Buffer.alloc(0);

/** What goes before the first bytes of a connection: they begin a line. */
export const BEGINNING: Buffer = Buffer.from("\n");

/**
 * Finds the frames' ids in what came on a connection; how it is cut, and how its chunks are framed, does not matter.
 *
 * @param rest what the bytes before have left
 * @param found called with each id, and where it ends in the bytes it is given
 * @returns what belongs before the next bytes: an id line, or the beginning of one, of which the rest has not come
 */
export function scanFrames(rest: Buffer, chunk: Buffer, found: (id: number, bytes: Buffer, at: number) => void): Buffer {
  const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
  let at = bytes.indexOf(ID_LINE);
  while (at !== -1) {
    const end = bytes.indexOf(LINE_FEED, at + ID_LINE.length);
    if (end === -1) return Buffer.from(bytes.subarray(at));
    found(Number(bytes.toString("latin1", at + ID_LINE.length, end)), bytes, end);
    at = bytes.indexOf(ID_LINE, end);
  }
  const lastLine = bytes.lastIndexOf(LINE_FEED);
  return lastLine !== -1 && ID_LINE.indexOf(bytes.subarray(lastLine)) === 0 ? Buffer.from(bytes.subarray(lastLine)) : NOTHING;
}
