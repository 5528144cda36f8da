import { createHash } from "node:crypto";

/**
 * Every generated hexadecimal id begins with these digits ("fabricated"), so that it is never taken for one
 * of the provider's. Token ids are the decimal form of such a number; object ids are 18 digits that begin
 * with 900.
 */
export const GENERATED_MARK = "fab12ca7ed";

const digest = (...parts: readonly (string | number)[]) => createHash("sha256").update(parts.join("\n")).digest("hex");

const marked = (...parts: readonly (string | number)[]) =>
  `0x${GENERATED_MARK}${digest(...parts).slice(GENERATED_MARK.length)}`;

/** @param line the source line @param ordinal the index among equal lines of its file, from 0 */
export const generatedTransaction = (line: string, ordinal: number): string => marked("transaction", line, ordinal);

export const generatedCondition = (key: string): string => marked("condition", key);

export const generatedToken = (conditionId: string, outcomeIndex: number): string =>
  BigInt(marked("token", conditionId, outcomeIndex)).toString();

export const generatedObjectId = (kind: "market" | "event" | "tag", key: string): string =>
  `900${(BigInt(`0x${digest(kind, key).slice(0, 15)}`) % 10n ** 15n).toString().padStart(15, "0")}`;

export const generatedGameId = (key: string): number =>
  900_000_000 + Number(BigInt(`0x${digest("game", key).slice(0, 12)}`) % 1_000_000n);
