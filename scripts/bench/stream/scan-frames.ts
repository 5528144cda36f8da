const ID_LINE = Buffer.from("\nid: ");
const LINE_FEED = 10;
const NOTHING = Buffer.alloc(0);

/** The `rest` before the first bytes of a connection, which begin a line. */
export const START_OF_STREAM: Buffer = Buffer.from("\n");

/**
 * Finds the frames' ids in the bytes of a connection, however they are split into chunks.
 *
 * @param rest the value returned for the previous bytes
 * @param found called with each id and the index of its end in the bytes
 * @returns an incomplete id line to put before the next bytes; empty when there is none
 */
export function scanFrames(
  rest: Buffer,
  chunk: Buffer,
  found: (id: number, bytes: Buffer, at: number) => void,
): Buffer {
  const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
  let at = bytes.indexOf(ID_LINE);
  while (at !== -1) {
    const end = bytes.indexOf(LINE_FEED, at + ID_LINE.length);
    if (end === -1) return Buffer.from(bytes.subarray(at));
    found(Number(bytes.toString("latin1", at + ID_LINE.length, end)), bytes, end);
    at = bytes.indexOf(ID_LINE, end);
  }
  const lastLine = bytes.lastIndexOf(LINE_FEED);
  return lastLine !== -1 && ID_LINE.indexOf(bytes.subarray(lastLine)) === 0
    ? Buffer.from(bytes.subarray(lastLine))
    : NOTHING;
}
