import { setTimeout as sleep } from "node:timers/promises";
import { Slots } from "../../src/lib/slots.ts";
import { ApiReadError } from "./api.ts";
import { judgeAcrossSnapshots, type Difference, type ItemVerdict, type Question } from "./compare.ts";
import type { LedgerMirror } from "./ledger-mirror.ts";

/** One operation and its audit settings. */
export interface Check {
  readonly operation: string;
  /** How many seconds a response may lag behind the ledger, in addition to its stated age. */
  readonly lagSeconds: number;
  /** The reason for the lag. */
  readonly because: string;
  /** Whether first responses wait for work of the product. Slow checks use slots of their own. */
  readonly isSlow?: boolean;
  questions(): Promise<readonly Question[]>;
}

export interface OperationResult {
  readonly operation: string;
  readonly lagSeconds: number;
  compared: number;
  readonly differences: WrongItem[];
  /** Items whose expected values changed at every moment. */
  readonly unsettled: WrongItem[];
}

/** An item that was wrong in every round, with the differences of the last one. */
export interface WrongItem {
  readonly id: string;
  readonly differences: readonly Difference[];
}

/**
 * Delays before each round; items that were wrong are requested again, each delay after the previous round. The last rounds
 * settle what changes all the time: a response may show a moment between two polls of the mirror.
 */
const ROUND_DELAYS_MS = [0, 3_000, 8_000, 15_000, 20_000, 10_000, 10_000];
const AT_ONCE = 10;

interface Suspect {
  readonly question: Question;
  /** The items that were wrong in every round so far, and in how many rounds timing was not the cause. */
  readonly items: ReadonlyMap<string, { readonly judged: ItemVerdict; readonly steady: number }>;
}

/**
 * Runs all questions of every operation. Wrong items are requested again and count only when wrong each time.
 */
export async function runChecks(
  checks: readonly Check[],
  world: Pick<LedgerMirror, "between">,
  {
    print,
    delaysMs = ROUND_DELAYS_MS,
  }: { readonly print: (line: string) => void; readonly delaysMs?: readonly number[] },
): Promise<OperationResult[]> {
  const slots = new Slots(AT_ONCE);
  return Promise.all(
    checks.map(async (check) => {
      const result = await runCheck(check, world, check.isSlow === true ? new Slots(AT_ONCE) : slots, delaysMs);
      print(resultLine(result));
      return result;
    }),
  );
}

async function runCheck(
  check: Check,
  world: Pick<LedgerMirror, "between">,
  slots: Slots,
  delaysMs: readonly number[],
): Promise<OperationResult> {
  const { operation, lagSeconds } = check;
  const result: OperationResult = { operation, lagSeconds, compared: 0, differences: [], unsettled: [] };
  let suspects: Suspect[] = (await check.questions()).map((question) => ({ question, items: new Map() }));
  for (const [round, delayMs] of delaysMs.entries()) {
    if (suspects.length === 0) return result;
    await sleep(delayMs);
    const asked = await Promise.all(suspects.map((suspect) => askAgain(suspect, check, world, slots, round)));
    if (round === 0) result.compared = asked.reduce((sum, { compared }) => sum + compared, 0);
    suspects = asked.flatMap(({ suspect }) => (suspect.items.size === 0 ? [] : [suspect]));
  }
  for (const { items } of suspects) {
    for (const { judged, steady } of items.values()) {
      const { id, differences } = judged;
      (judged.isSteady || steady >= 2 ? result.differences : result.unsettled).push({ id, differences });
    }
  }
  return result;
}

async function askAgain(
  { question, items: before }: Suspect,
  { lagSeconds }: Check,
  world: Pick<LedgerMirror, "between">,
  slots: Slots,
  round: number,
): Promise<{ compared: number; suspect: Suspect }> {
  const judged = await judgeQuestion(question, lagSeconds * 1_000, world, slots);
  // A question without a response in an earlier round is judged here for the first time.
  const isFirst = round === 0 || before.has(question.key);
  const wrong = judged.filter(({ id, differences }) => differences.length > 0 && (isFirst || before.has(id)));
  const items = wrong.map(
    (one) => [one.id, { judged: one, steady: (before.get(one.id)?.steady ?? 0) + Number(one.isSteady) }] as const,
  );
  return { compared: judged.length, suspect: { question, items: new Map(items) } };
}

/** A question without a response is one wrong item. */
async function judgeQuestion(
  question: Question,
  lagMs: number,
  world: Pick<LedgerMirror, "between">,
  slots: Slots,
): Promise<ItemVerdict[]> {
  try {
    // The slot is free again while this waits for the poll that follows the response.
    const answered = await slots.run(() => question.ask());
    return judgeAcrossSnapshots(answered, await world.between(answered.fromMs - lagMs, answered.toMs));
  } catch (error) {
    if (!(error instanceof ApiReadError)) throw error;
    return [
      { id: question.key, differences: [{ field: "answer", expected: 200, got: error.message }], isSteady: true },
    ];
  }
}

export function resultLine({ operation, compared, differences, unsettled }: OperationResult): string {
  return `${operation.padEnd(28)} ${String(compared).padStart(7)} compared  ${String(differences.length).padStart(6)} differences  ${String(unsettled.length).padStart(5)} unsettled`;
}
