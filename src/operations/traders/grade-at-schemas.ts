import { z } from "zod";
import { GRADES } from "../../domain/grades.ts";
import { traderId, walletAddress } from "../fields.ts";

export const TraderGradeAt = z
  .object({
    id: traderId,
    address: walletAddress,
    as_of: z.iso.datetime().meta({ description: "The time that was asked about, UTC." }),
    status: z.enum(["graded", "ungraded", "unknown"]).meta({
      description:
        "graded: it had a letter. ungraded: it was judged and had none. unknown: no recorded observation covers the time, because it is before the first one or between computing and publishing a grade, when either could have been read.",
    }),
    grade: z.enum(GRADES).nullable().meta({ description: "The letter it had, S best and F worst; null unless graded." }),
    available_from: z.iso
      .datetime()
      .nullable()
      .meta({ description: "From when on the wallet's grade is known, UTC; null while it never was." }),
    observation: z
      .object({
        id: z.int().meta({ description: "Number of the observation." }),
        previous_observation_id: z.int().nullable().meta({ description: "Number of the wallet's observation before; null for its first." }),
        observed_at: z.iso.datetime().meta({ description: "When it was computed, UTC; it holds for no time before." }),
        published_by: z.iso.datetime().meta({ description: "From when on at the latest it could be read, UTC." }),
        model_version: z.string().nullable().meta({ description: "Version of the grading method; null when it is not recorded." }),
        model_build_sha: z.string().nullable().meta({ description: "Always null: which build computed a grade is not recorded." }),
        source_observed_by: z.iso
          .datetime()
          .nullable()
          .meta({ description: "All that it rests on was recorded by then, UTC; null when that is not known." }),
      })
      .nullable()
      .meta({ description: "The judgement that held at the time; null when unknown." }),
  })
  .meta({
    id: "TraderGradeAt",
    description: "The grade that could be read of one wallet at one time.",
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
