import { argumentsOrExit } from "./arguments-or-exit.ts";
import { parseFaultsArguments, USAGE } from "./faults/arguments.ts";
import { runWebhookFaults } from "./faults/webhook-faults.ts";

/*
 * npm run faults -- webhooks [--minutes N] [--events N] [--seed N]: publishes events while the Worker, the
 * queue and Postgres are killed at random. At the end every acknowledged event must be delivered or
 * dead-lettered.
 */
const MOST_SEEDS = 1_000_000;

const { minutes, events, seed: given } = argumentsOrExit(parseFaultsArguments, USAGE);
const seed = given ?? 1 + Math.floor(Math.random() * MOST_SEEDS);
console.log(`To repeat this run: npm run faults -- webhooks --minutes ${minutes} --events ${events} --seed ${seed}`);
const result = await runWebhookFaults({
  events,
  seed,
  seconds: minutes * 60,
  skipsWaiting: false,
  log: (line) => console.log(line),
});
const { acknowledged, kills, statuses, lost, repeats } = result;
const unfinished = Object.keys(statuses).filter((status) => status !== "delivered" && status !== "dead_letter");
console.log(
  `${acknowledged} events, ${JSON.stringify(kills)} kills: ${JSON.stringify(statuses)}, ${repeats} repeats, ${lost.length} lost`,
);
for (const line of lost.slice(0, 20)) console.log(line);
if (lost.length > 0 || unfinished.length > 0) process.exitCode = 1;
