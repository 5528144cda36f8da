import { z } from "zod";

const Status = z.enum(["fresh", "partial", "unknown", "untracked", "unavailable"]);

export const DataQualityGroup = z
  .object({
    group: z.string().meta({ description: "Stable name of the fields." }),
    owner: z.string().meta({ description: "Table and column that hold them." }),
    status: Status.meta({ description: "unknown = served without a clock; untracked = by design." }),
    as_of: z.iso.datetime().optional(),
    reason: z.string().optional().meta({ description: "Left out when fresh." }),
  })
  .meta({ id: "DataQualityGroup" });

export type DataQualityGroup = z.input<typeof DataQualityGroup>;

export const DataQuality = z
  .object({
    status: Status.meta({ description: "fresh when all groups are, unavailable when all are, else partial." }),
    as_of: z.iso.datetime().optional().meta({ description: "The oldest group clock." }),
    field_groups: z.array(DataQualityGroup),
  })
  .meta({ id: "DataQuality" });

/** The summary over groups. What is untracked by design does not count against an answer. */
export function summarizeQuality(groups: DataQualityGroup[]): z.input<typeof DataQuality> {
  const judged = groups.filter((group) => group.status !== "untracked");
  const every = (status: DataQualityGroup["status"]) => judged.length > 0 && judged.every((group) => group.status === status);
  const clocks = groups.flatMap((group) => group.as_of ?? []).toSorted();
  return {
    status: every("fresh") ? "fresh" : every("unavailable") ? "unavailable" : "partial",
    ...(clocks[0] === undefined ? {} : { as_of: clocks[0] }),
    field_groups: groups,
  };
}
