import { parseArgs } from "node:util";
import { runWebhookFaults } from "./faults/webhook-faults.ts";

/*
 * npm run faults -- webhooks [--minutes N] [--events N] [--seed N]: events are published while the Worker, the queue and Postgres are killed at
 * random. Every acknowledged event must have been delivered or set aside at the end.
 */
const MOST_SEEDS = 1_000_000;

const { minutes, ...request } = parse(process.argv.slice(2));
console.log(`Again with npm run faults -- webhooks --minutes ${minutes} --events ${request.events} --seed ${request.seed}`);
const result = await runWebhookFaults({ ...request, seconds: minutes * 60, skipsWaiting: false, log: (line) => console.log(line) });
const { acknowledged, kills, statuses, lost, repeats } = result;
const unfinished = Object.keys(statuses).filter((status) => status !== "delivered" && status !== "dead_letter");
console.log(`${acknowledged} events, ${JSON.stringify(kills)} kills: ${JSON.stringify(statuses)}, ${repeats} repeats, ${lost.length} lost`);
for (const line of lost.slice(0, 20)) console.log(line);
if (lost.length > 0 || unfinished.length > 0) process.exitCode = 1;

function parse(argv: readonly string[]): { events: number; minutes: number; seed: number } {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { minutes: { type: "string", default: "10" }, events: { type: "string", default: "10000" }, seed: { type: "string" } },
  });
  if (positionals.join() !== "webhooks") throw new Error("Name what is to be tried: webhooks.");
  const number = (name: string, text: string) => {
    if (!/^\d+(\.\d+)?$/.test(text) || Number(text) === 0) throw new Error(`--${name} is a number above 0, not ${text}.`);
    return Number(text);
  };
  const drawn = String(1 + Math.floor(Math.random() * MOST_SEEDS));
  return {
    events: number("events", values.events),
    minutes: number("minutes", values.minutes),
    seed: number("seed", values.seed ?? drawn),
  };
}
