import { InvalidResponseError } from "../api-error.ts";

/** One message of a stream of Server-Sent Events. */
export interface SseMessage {
  /** The last id that the stream has sent, also with an earlier message; null before the first. */
  readonly id: string | null;
  /** The empty text without an `event` field. */
  readonly event: string;
  readonly data: string;
}

export interface SseParser {
  /** The wait in milliseconds that the server asked for between connections; null before it did. */
  readonly retryMs: number | null;
  /** @returns the messages that end in this chunk @throws InvalidResponseError for a message of more than 1 MiB */
  push(chunk: Uint8Array): SseMessage[];
}

const MAX_MESSAGE_CHARS = 1024 * 1024;

/** A parser by the HTML standard, section 9.2.6. */
export function openSseParser(): SseParser {
  const decoder = new TextDecoder();
  let [text, id, event, retryMs]: [string, string | null, string, number | null] = ["", null, "", null];
  let data: string[] = [];

  /** @returns the message that an empty line ends */
  function readLine(line: string): SseMessage[] {
    if (line === "") {
      const message = { id, event, data: data.join("\n") };
      const hasData = data.length > 0;
      [event, data] = ["", []];
      return hasData ? [message] : [];
    }
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    else if (name === "event") event = value;
    else if (name === "id" && !value.includes("\0")) id = value;
    else if (name === "retry" && /^\d+$/.test(value)) retryMs = Number(value);
    return [];
  }

  return {
    get retryMs() {
      return retryMs;
    },
    push(chunk) {
      text += decoder.decode(chunk, { stream: true });
      // A carriage return at the end may be the first half of a line's end.
      const lines = text.split(/\r\n|\n|\r(?!$)/);
      text = lines.pop() ?? "";
      const messages = lines.flatMap(readLine);
      if (text.length + data.reduce((sum, { length }) => sum + length, 0) > MAX_MESSAGE_CHARS)
        throw new InvalidResponseError("a message of the stream is larger than 1 MiB");
      return messages;
    },
  };
}
