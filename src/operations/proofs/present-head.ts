import type { z } from "zod";
import { DayManifest } from "../../domain/proofs/day-manifest.ts";
import type { HeadRow } from "../../queries/proofs/head-row.ts";
import type { ArchiveHead } from "./schemas.ts";

/** The manifest of a stored head. */
export const manifestOf = ({ manifest }: HeadRow): DayManifest => DayManifest.parse(JSON.parse(manifest));

export const presentHead = (row: HeadRow): z.input<typeof ArchiveHead> => ({ day: manifestOf(row).day, ...row });
