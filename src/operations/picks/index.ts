import type { Operation } from "../../api/operation.ts";
import { getPickOfTheDay } from "./get-pick-of-the-day.ts";
import { getPickOfTheDayArchive } from "./get-pick-of-the-day-archive.ts";
import { getPickOfTheDayLedger } from "./get-pick-of-the-day-ledger.ts";
import { getPickOfTheDayLedgerEntry } from "./get-pick-of-the-day-ledger-entry.ts";

export const PICK_OPERATIONS: readonly Operation[] = [
  getPickOfTheDay,
  getPickOfTheDayArchive,
  getPickOfTheDayLedger,
  getPickOfTheDayLedgerEntry,
];
