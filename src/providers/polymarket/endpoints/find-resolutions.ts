import { ProviderRefused, type Misfit, type Page, type ProviderResolution } from "../../../ports/provider.ts";
import { addressOf } from "../http/query.ts";
import { toResolution } from "../mapping/resolution.ts";
import { isSecondProtocol, paddedConditionId } from "../mapping/second-protocol-id.ts";
import { DataList } from "../payloads/data-page.ts";
import { fitRecords } from "../payloads/fit-records.ts";
import { ResolutionRow } from "../payloads/resolution.ts";
import type { Source } from "./source.ts";

/** The most conditions the provider takes in one call. */
const CONDITIONS_AT_ONCE = 20;

/**
 * The two protocols' conditions are asked for apart: which width the provider takes for the second is not known, and one id it calls
 * malformed would cost the answer of all.
 */
export async function findResolutions(source: Source, conditionIds: readonly string[]): Promise<Page<ProviderResolution>> {
  const rows: ProviderResolution[] = [];
  const misfits: Misfit[] = [];
  for (const ids of [conditionIds.filter((id) => !isSecondProtocol(id)), conditionIds.filter(isSecondProtocol)]) {
    for (let start = 0; start < ids.length; start += CONDITIONS_AT_ONCE) {
      const found = await readEitherWidth(source, ids.slice(start, start + CONDITIONS_AT_ONCE));
      rows.push(...found.rows);
      misfits.push(...found.misfits);
    }
  }
  return { rows, nextCursor: null, misfits };
}

type Found = Pick<Page<ProviderResolution>, "rows" | "misfits">;

async function readEitherWidth(source: Source, conditionIds: readonly string[]): Promise<Found> {
  try {
    return await readResolutions(source, conditionIds);
  } catch (error) {
    if (!(error instanceof ProviderRefused) || !conditionIds.some(isSecondProtocol)) throw error;
    return readPadded(source, conditionIds);
  }
}

/** Ids refused in this form too are set aside, so that the conditions asked for beside them still get their answer. */
async function readPadded(source: Source, conditionIds: readonly string[]): Promise<Found> {
  try {
    return await readResolutions(source, conditionIds.map(paddedConditionId));
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    return { rows: [], misfits: [{ record: { condition_ids: conditionIds }, reason: "the provider refuses these ids in either width" }] };
  }
}

async function readResolutions(source: Source, conditionIds: readonly string[]): Promise<Found> {
  const { data } = await source.http.read({
    route: "data.other",
    call: () => ({
      url: addressOf(source.urls.dataUrl, "/v2/resolutions", { condition: conditionIds.join(","), _: source.nonce() }),
    }),
    schema: DataList,
  });
  return fitRecords(data, ResolutionRow, toResolution);
}
