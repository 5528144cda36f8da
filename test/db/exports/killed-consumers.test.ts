import { expect, inject, test } from "vitest";
import { createRandom } from "../../../scripts/provider/simulate/random.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { DisturbedJobs, type Form } from "../../support/exports/disturbed-jobs.ts";
import { isKill, KillableConsumer, type LastCall } from "../../support/exports/killable-consumer.ts";

const POINTS = 50;
const LAST_CALLS: readonly LastCall[] = ["lost", "done", "late"];
const KINDS: readonly { readonly kind: string; readonly forms: readonly Form[] }[] = [
  { kind: "dataset", forms: ["dataset"] },
  { kind: "trader export", forms: ["json", "ndjson", "csv"] },
];

for (const { kind, forms } of KINDS)
  test(
    `a ${kind} whose consumers are killed at ${POINTS} random points has the bytes of an undisturbed run`,
    { timeout: 240_000 },
    async () => {
      const random = createRandom("killed consumers", kind, inject("seed"));
      const own = await createTestDatabase();
      const jobs = await DisturbedJobs.open(own.db, own.openPool);
      const { consumer, store } = jobs;
      /** @returns the consumer, killed at its `dieAt`th step */
      const runKillable = async (jobId: number, dieAt: number, lastCall: LastCall) => {
        const life = new KillableConsumer(dieAt, lastCall);
        await consumer.runAll(jobId, life.ports(own.db, consumer.pool, store)).catch(onlyKilled);
        return life;
      };
      const stepsOf = new Map<Form, number>();
      for (const form of forms)
        stepsOf.set(form, (await runKillable(await jobs.submit(form), Number.POSITIVE_INFINITY, "done")).steps);
      const faults: string[] = [];
      const points = new Set<string>();
      for (let n = 0; n < POINTS; n += 1) {
        const form = random.pick(forms);
        const steps = stepsOf.get(form) ?? 0;
        const jobId = await jobs.submit(form);
        const life = await runKillable(jobId, random.integer(1, steps), random.pick(LAST_CALLS));
        // A job has three attempts: a second kill and a late part would use them up.
        if (!life.hasLateCall && random.chance(0.3)) {
          consumer.nowMs += 180_000;
          await runKillable(jobId, random.integer(1, steps), "done");
        }
        let untilLateCall = random.integer(0, 12);
        store.faultOf = async () => {
          untilLateCall -= 1;
          if (untilLateCall === 0) await life.deliverLateCall();
          return null;
        };
        const state = await consumer.finish(jobId);
        store.faultOf = () => null;
        await life.deliverLateCall();
        await consumer.sweep();
        points.add(life.killedAt ?? "none");
        const found = state === "ready" ? await jobs.findFaults(jobId, form) : [`the job is ${state}`];
        faults.push(...found.map((fault) => `killed at step ${life.steps}, ${life.killedAt}: ${fault}`));
        consumer.nowMs += 25 * 3_600_000;
        await consumer.sweep();
        if (store.objects.size > 0)
          faults.push(`objects are left after the expiry: ${[...store.objects.keys()].join()}`);
      }
      expect(faults).toEqual([]);
      expect(points).not.toContain("none");
      // Kills at statements, in transactions and at the store.
      expect([...points].map((point) => point.split(".")[0])).toEqual(
        expect.arrayContaining(["db", "session", "store"]),
      );
    },
  );

function onlyKilled(error: unknown): void {
  if (!isKill(error)) throw error;
}
