import { z } from "zod";
import { GRADES } from "../../domain/grades.ts";

export const TraderGradeAt = z
  .object({
    id: z.string().meta({ description: "trd_ id." }),
    address: z.string().meta({ description: "Lower case." }),
    as_of: z.iso.datetime().meta({ description: "The time that was asked about." }),
    status: z.enum(["graded", "ungraded", "unknown"]).meta({
      description:
        "unknown: no recorded observation covers the time, because it is before the first one or between computing and publishing a grade, when either could have been read.",
    }),
    grade: z.enum(GRADES).nullable().meta({ description: "Null unless graded." }),
    available_from: z.iso.datetime().nullable().meta({ description: "Since when the wallet's grade is known; null while it never was." }),
    observation: z
      .object({
        id: z.int(),
        previous_observation_id: z.int().nullable().meta({ description: "Null for the wallet's first." }),
        observed_at: z.iso.datetime().meta({ description: "When it was computed; it holds for no time before." }),
        published_by: z.iso.datetime().meta({ description: "Since when at the latest it could be read." }),
        model_version: z.string().nullable().meta({ description: "Version of the grading method." }),
        model_build_sha: z.string().nullable().meta({ description: "Null: which build computed a grade is not recorded." }),
        source_observed_by: z.iso.datetime().nullable().meta({ description: "All that it rests on was recorded by then." }),
      })
      .nullable()
      .meta({ description: "Null when unknown." }),
  })
  .meta({
    id: "TraderGradeAt",
    examples: [
      {
        id: "trd_12",
        address: "0x0000000000000000000000000000000000000012",
        as_of: "2026-11-20T12:00:00.000Z",
        status: "graded",
        grade: "A",
        available_from: "2026-11-01T00:00:05.000Z",
        observation: {
          id: 812,
          previous_observation_id: 640,
          observed_at: "2026-11-19T08:15:00.000Z",
          published_by: "2026-11-19T08:15:00.250Z",
          model_version: "skill-1",
          model_build_sha: null,
          source_observed_by: "2026-11-19T08:15:00.000Z",
        },
      },
    ],
  });
