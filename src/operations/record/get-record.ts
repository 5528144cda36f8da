import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam } from "../../api/request/query-params.ts";
import { RECORD_KINDS } from "../../domain/record/record-kinds.ts";
import { listRecord } from "../../queries/record.ts";
import { MIN_EVENTS, RECORD_METHOD } from "../../scoring/record/parameters.ts";
import { presentKinds } from "./present-record.ts";
import { PublicRecord } from "./schemas.ts";

export const getRecord = defineOperation({
  kind: "single",
  id: "getRecord",
  method: "get",
  path: "/api/v1/record",
  tag: "Record",
  summary: "Read how our own claims ended, hits and misses.",
  description: [
    "Returns every kind of claim that this product publishes: suspicious-trade flags, purchases under the grades S and A, " +
      "flow alerts and picks. By month it shows how many claims won, lost or wait for a result, and how often they won " +
      "compared with the prices at the time and with random purchases of the same day, category and price.",
    "A claim belongs to the UTC month of its price and stays there, so pending claims are visible. Rates are null, with " +
      `a reason, below ${MIN_EVENTS} events. The record is updated every ten minutes while results can change.`,
  ].join("\n\n"),
  access: "public",
  scope: null,
  plan: null,
  cost: 1,
  params: {},
  query: {
    kind: enumParam(RECORD_KINDS).meta({ description: "Only this kind of claim. All when left out.", example: "pick" }),
  },
  reasons: ["read_model_warming"],
  conditional: true,
  cacheSeconds: 120,
  cacheTags: ["record"],
  mcpTool: null,
  object: "record",
  data: PublicRecord,
  async handle({ query: { kind } }, { db, config }) {
    const rows = await listRecord(db, kind);
    if (rows.length === 0) throw new ApiError("read_model_warming");
    return {
      data: {
        method: RECORD_METHOD,
        methodology_url: `${config.webBaseUrl}/docs/methodology#the-public-record`,
        minimum_events: MIN_EVENTS,
        changed_at: rows.reduce((newest, { changed_at: at }) => (at > newest ? at : newest), ""),
        kinds: presentKinds(rows, kind),
      },
    };
  },
});
