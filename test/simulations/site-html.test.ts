import { HtmlValidate } from "html-validate";
import { expect, test } from "vitest";
import { builtPages, builtSite } from "../support/site/built-site.ts";

/** Validity of the markup, unique ids, heading levels, landmarks, labels and language. */
const validator = new HtmlValidate({
  root: true,
  extends: ["html-validate:recommended", "html-validate:document", "html-validate:a11y"],
  rules: {
    "heading-level": "error",
    "no-dup-id": "error",
    "no-inline-style": "error",
    "require-sri": ["error", { target: "crossorigin" }],
    "doctype-style": "off",
    "void-style": "off",
    "no-trailing-whitespace": "off",
    // A search result shows the start of a long title.
    "long-title": "off",
    // Pages about the same subject may share nothing but the site's name.
    "no-implicit-button-type": "off",
  },
});

test.each(builtPages)("%s is valid HTML", async (file) => {
  const report = await validator.validateString(builtSite.get(file) ?? "", file);
  const problems = report.results.flatMap(({ messages }) =>
    messages.map(({ line, ruleId, message }) => `${line} ${ruleId}: ${message}`),
  );
  expect(problems).toEqual([]);
});
