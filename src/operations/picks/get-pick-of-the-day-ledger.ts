import { defineOperation } from "../../api/operation.ts";
import { listPickLedger } from "../../queries/picks/pick-ledger.ts";
import { presentLedgerEntry } from "./present/present-ledger.ts";
import { PickOfTheDayLedger } from "./schemas/pick-ledger.ts";

export const getPickOfTheDayLedger = defineOperation({
  kind: "single",
  id: "getPickOfTheDayLedger",
  method: "get",
  path: "/api/v1/pick-of-the-day/ledger",
  tag: "Picks",
  summary: "Read the commitment ledger of all picks.",
  description: [
    "Lists every published pick, withdrawn or not, by product day and rank. A pick is sealed when it is published: the " +
      "hash of its payload and of a random nonce is shown, and nothing of its content. When it settles, payload and nonce " +
      "are shown too, and anyone can check the hash. A pick that reached its kickoff unsealed stays uncommitted.",
    "To check an opened entry: write `payload` as compact JSON with sorted keys, append the 32 bytes of " +
      "`commitment_nonce`, and compare the SHA-256 with `commitment_hash`.",
  ].join("\n\n"),
  access: "public",
  scope: null,
  plan: null,
  cost: 1,
  params: {},
  query: {},
  reasons: [],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: null,
  object: "pick_of_the_day_ledger",
  data: PickOfTheDayLedger,
  async handle(_input, { db, config }) {
    const rows = await listPickLedger(db);
    const entries = await Promise.all(rows.map((row) => presentLedgerEntry(row, config.webBaseUrl)));
    const count = (state: string) => entries.filter((entry) => entry.state === state).length;
    return {
      data: {
        entries,
        entry_count: entries.length,
        sealed_count: count("sealed"),
        opened_count: count("opened"),
        uncommitted_count: count("uncommitted"),
      },
    };
  },
});
