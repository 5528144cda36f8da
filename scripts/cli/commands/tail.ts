import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Checkpoint, StreamEvent } from "../../../src/client/index.ts";
import type { CommandContext } from "../context.ts";
import { flatten } from "../output/table.ts";

/** Prints the events of the stream until Ctrl-C. */
export async function tail(context: CommandContext): Promise<void> {
  const { output } = context;
  for await (const event of openTail(context)) {
    if (event.kind === "resync") {
      const { from_sequence: from, to_sequence: to, completeness } = event.data;
      output.note(`Events ${from} to ${to} cannot be sent (${completeness.status}): read the current state again.`);
      if (!output.isForPeople) output.event("", event.data);
      continue;
    }
    output.event(summaryOf(event), event.data);
  }
}

/** The stream with the filters, the start and the checkpoint of the command line. */
export function openTail({ client, values, signal, output }: CommandContext): AsyncIterable<StreamEvent> {
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : undefined);
  const [since, file, grade] = [text("since"), text("checkpoint"), text("min-grade")];
  const filters = {
    event: text("event"),
    condition_id: text("condition-id"),
    // The API judges the value.
    min_grade: grade as "A" | undefined,
    wallet: text("wallet")?.split(","),
    watchlist: text("watchlist"),
    min_size: text("min-size"),
  };
  return client().getStream(filters, {
    signal,
    ...(since !== undefined && { lastEventId: since }),
    ...(file !== undefined && { checkpoint: fileCheckpoint(file) }),
    onReconnect: ({ error, waitMs }) =>
      output.note(`Reconnecting in ${Math.ceil(waitMs / 1000)} s${error instanceof Error ? `: ${error.message}` : ""}`),
  });
}

/** The id of the last event, in a file. */
function fileCheckpoint(path: string): Checkpoint {
  return {
    load() {
      try {
        return readFileSync(path, "utf8").trim() || null;
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
        throw error;
      }
    },
    save(id) {
      writeFileSync(`${path}.new`, `${id}\n`);
      renameSync(`${path}.new`, path);
    },
  };
}

function summaryOf({ data: { seq: _, published_at: at, type, ...rest } }: StreamEvent & { kind: "frame" }): string {
  const facts = flatten(rest).map(([name, value]) => `${name}=${value}`);
  return `${String(at).slice(11, 19)}  ${type}  ${facts.join(" ")}`;
}
