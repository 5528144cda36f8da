import { ProviderRefused } from "../../../ports/provider.ts";
import { addressOf } from "../http/query.ts";
import { toQuestions } from "../mapping/questions.ts";
import { QuestionEvent } from "../payloads/event-questions.ts";
import type { Source } from "./source.ts";

/** Asked past the edge's cache, which keeps an event for minutes: a question added meanwhile must not be missing. */
export async function findQuestions(source: Source, providerEventId: string): Promise<readonly string[] | null> {
  try {
    const event = await source.http.read({
      route: "gamma.events",
      call: () => ({
        url: addressOf(source.urls.gammaUrl, `/events/${encodeURIComponent(providerEventId)}`, { _: source.nonce() }),
      }),
      schema: QuestionEvent,
      findFault: ({ id }) => (id === providerEventId ? null : "answered with an event nobody asked for"),
    });
    return toQuestions(event);
  } catch (error) {
    if (error instanceof ProviderRefused) return null;
    throw error;
  }
}
