import { ProviderRefused } from "../../../../platform/provider.ts";
import { buildUrl } from "../../http/build-url.ts";
import { toQuestions } from "../../mapping/markets/questions.ts";
import { QuestionEvent } from "../../payloads/markets/event-questions.ts";
import type { Source } from "../source.ts";

/**
 * Reads the questions of a neg-risk event, bypassing the edge cache: it keeps an event for minutes, and a
 * question added meanwhile must not be missing.
 */
export async function findQuestions(source: Source, providerEventId: string): Promise<readonly string[] | null> {
  try {
    const event = await source.http.read({
      route: "gamma.events",
      call: () => ({
        url: buildUrl(source.urls.gammaUrl, `/events/${encodeURIComponent(providerEventId)}`, {
          _: source.cacheBuster(),
        }),
      }),
      schema: QuestionEvent,
      findFault: ({ id }) => (id === providerEventId ? null : "the response is an event that was not requested"),
    });
    return toQuestions(event);
  } catch (error) {
    if (error instanceof ProviderRefused) return null;
    throw error;
  }
}
