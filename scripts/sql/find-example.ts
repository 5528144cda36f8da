import type pg from "pg";
import { readSampleFacts } from "../bench/operations/sample-facts.ts";
import { SAMPLES, type ReadPath, type Sample } from "../bench/operations/samples.ts";
import type { SqlRequest } from "./arguments.ts";

/**
 * The request to run: the given path, or the first example of the benchmark with ids of this database.
 *
 * @param ask reads a path of the API
 * @throws Error when there is no example
 */
export async function findExample(
  { operation, path }: Pick<SqlRequest, "operation" | "path">,
  client: pg.Client,
  ask: ReadPath,
): Promise<Sample> {
  if (path !== null && operation.method === "get") return { path };
  const forms = (await SAMPLES[operation.id]?.(await readSampleFacts(client), ask)) ?? [];
  const example = forms.flatMap(({ samples }) => samples)[0];
  if (example !== undefined) return path === null ? example : { ...example, path };
  if (!operation.path.includes("{")) return { path: operation.path };
  throw new Error(`The database has no example of ${operation.id}. Name one with --path ${operation.path}.`);
}
