import { request } from "node:http";

/** One open answer of the stream as its bytes come. */
export interface RawStream {
  readonly status: number;
  /** What came, and when (Unix milliseconds). */
  readonly chunks: readonly { readonly atMs: number; readonly text: string }[];
  /** All that came. */
  text(): string;
  /** When the server ended it; null while it has not. */
  endedMs(): number | null;
  /** Goes away without a word. */
  abort(): void;
}

/** Resolves with the answer's head. */
export function openRawStream(url: string, headers: Record<string, string>): Promise<RawStream> {
  return new Promise((resolve, reject) => {
    const chunks: { atMs: number; text: string }[] = [];
    let endedMs: number | null = null;
    const asked = request(url, { headers, agent: false }, (answer) => {
      answer.setEncoding("utf8");
      answer.on("data", (text: string) => chunks.push({ atMs: Date.now(), text }));
      answer.once("end", () => (endedMs = Date.now()));
      answer.once("error", () => undefined);
      resolve({
        status: answer.statusCode ?? 0,
        chunks,
        text: () => chunks.map(({ text }) => text).join(""),
        endedMs: () => endedMs,
        abort: () => asked.destroy(),
      });
    });
    asked.once("error", reject);
    asked.end();
  });
}
