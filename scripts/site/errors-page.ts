import type { Reason } from "../../src/api/errors.ts";
import { ERROR_ADVICE } from "./error-advice.ts";
import type { ErrorFacts } from "./site-facts.ts";

/** The catalogue of errors, in Markdown: a section for each code, and in it one for each reason. Anchors are what `doc_url` uses. */
export function errorSections(errors: readonly ErrorFacts[]): string {
  return [...Map.groupBy(errors, ({ code }) => code)].map(([code, rows]) => presentCode(code, rows)).join("\n\n");
}

function presentCode(code: string, rows: readonly ErrorFacts[]): string {
  const own = rows.find(({ reason }) => reason === code);
  const statuses = [...new Set(rows.map(({ status }) => status))].join(", ");
  return [
    `## ${code} {#${code}}`,
    `Status ${statuses}.`,
    ...(own === undefined ? [] : [presentRow(own)]),
    ...rows.filter((row) => row !== own).flatMap((row) => [`### ${row.reason} {#${row.reason}}`, presentRow(row)]),
  ].join("\n\n");
}

function presentRow(facts: ErrorFacts): string {
  const { reason, status, code, message, retryAfterSeconds, retrySpreadSeconds, isPublished } = facts;
  const retry =
    retryAfterSeconds === null
      ? "Do not retry unchanged."
      : `Retry after \`Retry-After\`; without a more exact time that is ${rangeOf(retryAfterSeconds, retrySpreadSeconds)}.`;
  const sent = isPublished ? `\`reason\` is \`${reason}\`.` : `No \`reason\` is sent: branch on \`code\` \`${code}\`.`;
  // The cast holds because the facts are collected from the catalogue.
  return [message, `**What to do.** ${ERROR_ADVICE[reason as Reason]}`, `*${status} · ${retry} ${sent}*`].join("\n\n");
}

const rangeOf = (seconds: number, spread: number): string =>
  spread === 0 ? `${seconds} s` : `${seconds} to ${seconds + spread} s, at random`;
