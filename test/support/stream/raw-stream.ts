import { request } from "node:http";

/** One open stream response as raw bytes. */
export interface RawStream {
  readonly status: number;
  /** Received chunks with their time (Unix milliseconds). */
  readonly chunks: readonly { readonly atMs: number; readonly text: string }[];
  /** All received text. */
  text(): string;
  /** When the server ended it; null while it is open. */
  endedMs(): number | null;
  /** Disconnects without closing properly. */
  abort(): void;
}

/** Resolves with the response headers. */
export function openRawStream(url: string, headers: Record<string, string>): Promise<RawStream> {
  return new Promise((resolve, reject) => {
    const chunks: { atMs: number; text: string }[] = [];
    let endedMs: number | null = null;
    const sent = request(url, { headers, agent: false }, (answer) => {
      answer.setEncoding("utf8");
      answer.on("data", (text: string) => chunks.push({ atMs: Date.now(), text }));
      answer.once("end", () => (endedMs = Date.now()));
      answer.once("error", () => undefined);
      resolve({
        status: answer.statusCode ?? 0,
        chunks,
        text: () => chunks.map(({ text }) => text).join(""),
        endedMs: () => endedMs,
        abort: () => sent.destroy(),
      });
    });
    sent.once("error", reject);
    sent.end();
  });
}
