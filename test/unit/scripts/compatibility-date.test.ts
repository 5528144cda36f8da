import { expect, test } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { compatibilityDate } from "../../../scripts/compatibility-date.ts";

test("scripts use the compatibility date that wrangler reads", () => {
  expect(compatibilityDate()).toBe(readConfig({ config: "wrangler.toml" }).compatibility_date);
});
