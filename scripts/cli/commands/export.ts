import { createWriteStream } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FileJob, ReadyFile } from "../../../src/client/index.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { runVerify } from "../run-verify.ts";

const FORMATS = { trader: ["json", "ndjson", "csv", "parquet"], dataset: ["ndjson", "parquet"] } as const;

/** Submits an export or a dataset, waits, downloads it and checks it against its signed manifest. */
export async function exportFile(context: CommandContext): Promise<void> {
  const { positionals, output, signal } = context;
  const text = (name: string) => (typeof context.values[name] === "string" ? context.values[name] : undefined);
  const onProgress = ({ job_id: id, status, processed_trades: done, total_trades: all }: FileJob) =>
    output.progress(`Job ${id} is ${status}${all ? `: ${done ?? 0} of ${all} trades` : ""}`);
  const { files } = context.client();
  const [kind, address] = positionals;
  if (kind === "trader" && address !== undefined) {
    const format = oneOf(FORMATS.trader, text("format") ?? "json");
    return save(context, await files.traderExport({ address, format }, { signal, onProgress }), format);
  }
  const [from, to] = [text("from"), text("to")];
  if (kind !== "dataset" || from === undefined || to === undefined)
    throw new UsageError("Name `trader ADDRESS`, or `dataset --from TIME --to TIME`.");
  const format = oneOf(FORMATS.dataset, text("format") ?? "ndjson");
  const [condition, size] = [text("condition-id"), text("min-size")];
  const body = {
    ...{ from, to, format },
    ...(condition !== undefined && { condition_id: condition }),
    ...(size !== undefined && { min_size: Number(size) }),
  };
  return save(context, await files.whaleDataset(body, { signal, onProgress }), format);
}

function oneOf<T extends string>(all: readonly T[], text: string): T {
  const found = all.find((one) => one === text);
  if (found === undefined) throw new UsageError(`--format must be one of ${all.join(", ")}.`);
  return found;
}

/** Writes the file and its status; the file has its name only when it is complete and right. */
async function save<Status extends { readonly data: FileJob }>(
  { output, values, signal }: CommandContext,
  ready: ReadyFile<Status>,
  format: string,
): Promise<void> {
  const { job_id: id, artifact } = ready.status.data;
  const path = typeof values["out"] === "string" ? values["out"] : `activity-${id}.${format}`;
  const [draft, statusPath] = [`${path}.part`, `${path}.status.json`];
  const response = await ready.open();
  const total = artifact?.manifest?.content_size_bytes ?? 0;
  let bytes = 0;
  async function* counted(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      output.progress(`${bytes} of ${total} bytes`);
      yield chunk;
    }
  }
  try {
    await pipeline(Readable.from(counted(response.body ?? new ReadableStream())), createWriteStream(draft), { signal });
    await writeFile(statusPath, `${JSON.stringify(ready.status)}\n`);
    const key = typeof values["public-key"] === "string" ? ["--key", values["public-key"]] : [];
    if (artifact?.proof == null) output.note("The file has no signed manifest: the service has no signing key.");
    else output.note(await runVerify(["download", draft, statusPath, ...key], signal));
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  output.answer({
    data: { file: path, status_file: statusPath, job_id: id, rows: artifact?.manifest?.row_count, bytes },
  });
}
