import { z } from "zod";
import { ERRORS } from "../../src/api/errors.ts";
import type { Operation } from "../../src/api/operation.ts";
import { EXAMPLE_API, EXAMPLE_SANDBOX, EXAMPLE_WEB, type OperationSample } from "../../src/sandbox/samples.ts";
import { composeExample } from "../openapi/compose-example.ts";
import { reasonsOf } from "../openapi/responses.ts";
import { describeFile, SAMPLE_FILES, type SampleFile } from "./sample-files.ts";

type Json = Record<string, unknown>;

const Content = z.looseObject({ example: z.unknown().optional() });
const ApiDocument = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        responses: z.record(z.string(), z.looseObject({ content: z.record(z.string(), Content).optional() })),
      }),
    ),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
});
const JobBody = z.looseObject({
  data: z.looseObject({ artifact: z.looseObject({ manifest: z.looseObject({ generation: z.looseObject({}) }) }) }),
});
const Watermarks = z.looseObject({ trades: z.looseObject({}) });

/** The fields of `meta` that the kernel writes for each response. */
const SHARED_META = new Set(["request_id", "cached", "cache_age_s", "cost"]);

/**
 * The samples of the sandbox as stored: of every operation the documented example, and by error status the reason that
 * stands for it.
 *
 * @param document the API document, which has an example of every response
 */
export function buildSamples(operations: readonly Operation[], document: string): string {
  const { paths, components } = ApiDocument.parse(JSON.parse(document));
  const samples = Object.fromEntries(
    operations.map((operation) => {
      const responses = paths[operation.path]?.[operation.method]?.responses ?? {};
      return [operation.id, sampleOf(operation, responses, operations)];
    }),
  );
  addViews(samples, components.schemas);
  return `${JSON.stringify({ operations: samples, files: SAMPLE_FILES }, null, 1)}\n`;
}

type Responses = z.output<typeof ApiDocument>["paths"][string][string]["responses"];

function sampleOf(operation: Operation, responses: Responses, operations: readonly Operation[]): OperationSample {
  const errors = errorsOf(operation);
  if (operation.kind === "redirect" && operation.scope === "export")
    return { body: null, file: filePathOf(operation), errors };
  if (operation.kind === "redirect" || operation.kind === "retired" || operation.kind === "stream")
    return { body: null, errors };
  const status = operation.kind === "single" ? (operation.successStatus ?? 200) : 200;
  const content = responses[String(status)]?.content ?? {};
  const example = content["application/json"]?.example ?? content["text/markdown"]?.example;
  if (operation.kind === "text") return { body: null, text: z.string().parse(example), errors };
  const body = z.record(z.string(), z.unknown()).parse(example);
  return { body: withoutSharedMeta(adjust(operation, body, operations)), errors };
}

/** One reason for each status: of the operation first, then of its credential, then of every request. */
function errorsOf(operation: Operation): Record<string, string> {
  const general = reasonsOf(operation).filter((reason) => !operation.reasons.includes(reason));
  const isOfAddress = (reason: string) => reason === "ip_rate_limited" || reason === "ip_throttled";
  const ordered = [
    ...operation.reasons,
    ...general.filter((reason) => !isOfAddress(reason)),
    ...general.filter(isOfAddress),
  ];
  const errors: Record<string, string> = {};
  for (const reason of ordered) errors[String(ERRORS[reason].status)] ??= reason;
  return errors;
}

function withoutSharedMeta(body: Json): Json {
  const meta = z.record(z.string(), z.unknown()).parse(body["meta"]);
  return { ...body, meta: Object.fromEntries(Object.entries(meta).filter(([name]) => !SHARED_META.has(name))) };
}

const folderOf = ({ path }: Operation): keyof typeof SAMPLE_FILES =>
  path.startsWith("/api/v1/datasets/") ? "datasets" : "exports";

/** The path of the sample file; its number is that of the sample's job. */
const filePathOf = (operation: Operation): string => `/files/${folderOf(operation)}/17`;

/** The members that only the observations of `getEdgeHunter` have. */
const OF_OBSERVATIONS = ["snapshot_as_of", "degraded", "funnel"] as const;

/** The three views of `getEdgeHunter`: its example has the members of all of them. */
function addViews(samples: Record<string, OperationSample>, schemas: Readonly<Record<string, Json>>): void {
  const { getEdgeHunter: edge, listPreGameSideObservations: observations } = samples;
  if (edge?.body == null || observations?.body == null) return;
  const signals = Object.fromEntries(
    Object.entries(edge.body).filter(([name]) => !OF_OBSERVATIONS.some((other) => other === name)),
  );
  const sport = composeExample({ $ref: "#/components/schemas/EdgeBoardSport" }, schemas, "EdgeBoardSport");
  const board = { object: "list", data: [sport], has_more: false, next_cursor: null, meta: {} };
  samples["getEdgeHunter"] = { ...edge, body: signals, views: { observations: observations.body, board } };
}

/** An example of one field knows nothing of the others: here they are made to agree. */
function adjust(operation: Operation, body: Json, operations: readonly Operation[]): Json {
  if (operation.id === "getApiDiscovery") return adjustDiscovery(body, operations);
  if (body["object"] === "trader_export_job" || body["object"] === "whale_dataset_job")
    return adjustJob(body, SAMPLE_FILES[folderOf(operation)], operation);
  return body;
}

/** The discovery leads to the sandbox itself, and names every operation. */
function adjustDiscovery(body: Json, operations: readonly Operation[]): Json {
  const data = z.record(z.string(), z.unknown()).parse(body["data"]);
  const open = operations.filter(({ access }) => access === "public").map(({ path }) => path);
  return {
    ...body,
    data: {
      ...data,
      api_base_url: `${EXAMPLE_SANDBOX}/api/v1`,
      docs_url: `${EXAMPLE_WEB}/docs`,
      openapi_url: `${EXAMPLE_SANDBOX}/api/v1/openapi.json`,
      health_url: `${EXAMPLE_SANDBOX}/api/v1/health`,
      authentication:
        "The sandbox needs no credential. A sandbox key is checked when it is sent. The live API needs an API key on " +
        `every route in authenticated_routes. Public without a key: ${open.join(", ")}.`,
      protected_resource_metadata_url: `${EXAMPLE_API}/.well-known/oauth-protected-resource`,
      authenticated_routes: operations
        .filter(({ access }) => access === "key")
        .map(({ method, path }) => `${method.toUpperCase()} ${path}`),
    },
  };
}

/** A queued job where one is submitted, and elsewhere a ready one whose manifest is that of the sample file. */
function adjustJob(body: Json, file: SampleFile, operation: Operation): Json {
  const { data, ...envelope } = JobBody.parse(body);
  const { artifact, poll_after_s: pollAfter, ...job } = data;
  if (operation.kind === "single" && operation.successStatus === 202)
    return { ...envelope, data: { ...job, ...QUEUED, poll_after_s: pollAfter } };
  const { rows, contentBytes, artifact: size, digests } = describeFile(file);
  const { generation } = artifact.manifest;
  const counted =
    generation["source_watermarks"] === undefined
      ? generation
      : { ...generation, source_watermarks: countTrades(generation["source_watermarks"], rows) };
  return {
    ...envelope,
    data: {
      ...job,
      total_trades: rows,
      processed_trades: rows,
      file_size: contentBytes,
      artifact: { ...artifact, ...size, manifest: { ...artifact.manifest, ...digests, generation: counted } },
    },
  };
}

const QUEUED = {
  status: "queued",
  total_trades: null,
  processed_trades: null,
  file_size: null,
  terminal: false,
  next_action: "poll",
  started_at: null,
  ready_at: null,
  data_as_of: null,
  attempt: 0,
};

function countTrades(watermarks: unknown, rows: number): Json {
  const { trades, ...others } = Watermarks.parse(watermarks);
  return { ...others, trades: { ...trades, rows } };
}
