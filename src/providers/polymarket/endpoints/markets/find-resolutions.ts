import { chunk } from "../../../../lib/chunk.ts";
import {
  ProviderRefused,
  type QuarantinedRecord,
  type ProviderPage,
  type ProviderResolution,
} from "../../../../platform/provider.ts";
import { buildUrl } from "../../http/build-url.ts";
import { toResolution } from "../../mapping/markets/resolution.ts";
import { isSecondProtocol, paddedConditionId } from "../../mapping/trades/second-protocol-id.ts";
import { DataList } from "../../payloads/data-page.ts";
import { parseProviderRecords } from "../../payloads/parse-provider-records.ts";
import { ResolutionRow } from "../../payloads/markets/resolution.ts";
import type { Source } from "../source.ts";

/** Maximum number of conditions that the provider accepts in one call. */
const CONDITIONS_AT_ONCE = 20;

/**
 * Reads resolutions. Conditions of the two protocols are requested separately: the width that the provider
 * expects for the second is unknown, and one id that it calls malformed would fail the whole call.
 */
export async function findResolutions(
  source: Source,
  conditionIds: readonly string[],
): Promise<ProviderPage<ProviderResolution>> {
  const rows: ProviderResolution[] = [];
  const quarantined: QuarantinedRecord[] = [];
  for (const ids of [conditionIds.filter((id) => !isSecondProtocol(id)), conditionIds.filter(isSecondProtocol)]) {
    for (const group of chunk(ids, CONDITIONS_AT_ONCE)) {
      const found = await readEitherWidth(source, group);
      rows.push(...found.rows);
      quarantined.push(...found.quarantined);
    }
  }
  return { rows, nextCursor: null, quarantined: quarantined };
}

type ResolutionRows = Pick<ProviderPage<ProviderResolution>, "rows" | "quarantined">;

async function readEitherWidth(source: Source, conditionIds: readonly string[]): Promise<ResolutionRows> {
  try {
    return await readResolutions(source, conditionIds);
  } catch (error) {
    if (!(error instanceof ProviderRefused) || !conditionIds.some(isSecondProtocol)) throw error;
    return readPadded(source, conditionIds);
  }
}

/**
 * Ids that are refused in this form too are quarantined, so that other groups still get their resolutions.
 */
async function readPadded(source: Source, conditionIds: readonly string[]): Promise<ResolutionRows> {
  try {
    return await readResolutions(source, conditionIds.map(paddedConditionId));
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    return {
      rows: [],
      quarantined: [
        { record: { condition_ids: conditionIds }, reason: "the provider refuses these ids in either width" },
      ],
    };
  }
}

async function readResolutions(source: Source, conditionIds: readonly string[]): Promise<ResolutionRows> {
  const { data } = await source.http.read({
    route: "data.other",
    call: () => ({
      url: buildUrl(source.urls.dataUrl, "/v2/resolutions", {
        condition: conditionIds.join(","),
        _: source.cacheBuster(),
      }),
    }),
    schema: DataList,
  });
  return parseProviderRecords(data, ResolutionRow, toResolution);
}
