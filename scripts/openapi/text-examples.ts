import type { z } from "zod";
import { renderMarketContext } from "../../src/operations/markets/present/render-market-context.ts";
import { MarketFlow } from "../../src/operations/markets/schemas/flow-schemas.ts";
import {
  MarketHolder,
  MarketHoldersScan,
  MarketHoldersTotals,
} from "../../src/operations/markets/schemas/holder-schemas.ts";
import { MarketSnapshot } from "../../src/operations/markets/schemas/snapshot-schemas.ts";
import { renderTraderContext } from "../../src/operations/traders/present/render-context.ts";
import { TraderContext } from "../../src/operations/traders/schemas/context-schemas.ts";
import { composeExample } from "./compose-example.ts";
import type { Components } from "./components.ts";

/** The example of a schema, as its type. */
type ExampleOf = <S extends z.ZodType>(schema: S) => z.input<S>;

/** The document of each text operation, rendered by the operation's own renderer from examples of its data. */
const DOCUMENTS: Readonly<Record<string, (exampleOf: ExampleOf) => string>> = {
  getTraderContextMarkdown: (exampleOf) => renderTraderContext(exampleOf(TraderContext)),
  getMarketContextMarkdown: (exampleOf) =>
    renderMarketContext({
      snapshot: exampleOf(MarketSnapshot),
      flow: exampleOf(MarketFlow),
      holders: {
        scan: exampleOf(MarketHoldersScan),
        totals: exampleOf(MarketHoldersTotals),
        top: [exampleOf(MarketHolder)],
      },
    }),
};

/** @throws Error for a text operation without a document here */
export function textExampleOf(id: string, components: Components): string {
  const render = DOCUMENTS[id];
  if (render === undefined)
    throw new Error(`the text operation ${id} has no example in scripts/openapi/text-examples.ts`);
  return render(<S extends z.ZodType>(schema: S) => {
    // A composed example satisfies its schema; a test validates every example of the document.
    return composeExample(components.schemaOf(schema), components.schemas, id) as z.input<S>;
  });
}
