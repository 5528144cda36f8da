import { factsOf } from "../../../src/client/build-request.ts";
import type { CallOptions } from "../../../src/client/index.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { findOperation, READ_IDS } from "../find-operation.ts";

type Params = Readonly<Record<string, unknown>>;
type AnyCall = (params: Params, options: CallOptions) => Promise<Readonly<Record<string, unknown>>>;
type AnyWalk = (params: Params, options: CallOptions) => AsyncIterable<Readonly<Record<string, unknown>>>;

/** Runs a read; `--all` reads every page of a list. */
export async function get(context: CommandContext): Promise<void> {
  const { positionals, output, values, signal } = context;
  const [target, ...pairs] = positionals;
  if (target === undefined) return output.rows(READ_IDS.map((id) => ({ id, path: factsOf(id).path || "/" })));
  const { id, params } = findOperation(target, pairs);
  const operation = factsOf(id);
  for (const [, name = ""] of operation.path.matchAll(/\{(\w+)\}/g))
    if ((params[name] ?? "") === "") throw new UsageError(`${id} requires ${name}: ${name}=VALUE`);
  const client = context.client();
  const options = { signal, strict: true };
  if (values["all"] === true) {
    if (!operation.has("c")) throw new UsageError(`${id} has no pages.`);
    // The parameters are texts of the user, which the API judges.
    const walk = (client.pages as unknown as Record<string, AnyWalk>)[id];
    let count = 0;
    for await (const page of walk?.(params, options) ?? []) {
      const rows = Array.isArray(page["data"]) ? page["data"] : [page];
      output.rows(rows);
      output.progress(`${(count += rows.length)} rows…`);
    }
    output.progress("");
    return;
  }
  const call = (client as unknown as Record<string, AnyCall>)[id];
  const answer = (await call?.(params, options)) ?? {};
  if (typeof answer["text"] === "string") return output.text(answer["text"]);
  if (operation.has("d")) return output.text(String(answer["location"]));
  if (!output.isForPeople || !Array.isArray(answer["data"])) return output.answer(answer);
  output.rows(answer["data"]);
  if (answer["data"].length === 0) output.note("No rows.");
  if (answer["has_more"] === true) output.note("There are more rows: --all reads every page.");
}
