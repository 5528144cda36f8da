import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";

/*
 * Opens pages of a running product in headless Chromium, takes a screenshot of each at phone and desktop width, light and dark, and
 * fails on a request to another origin, a refused resource, a page error or a page that scrolls sideways.
 *   npm run look-at-docs -- http://localhost:8787 [--out DIRECTORY] [--paths /docs,/docs/errors]
 * CHROMIUM names the program; the default is /usr/bin/chromium.
 */
const PATHS = [
  "/docs",
  "/docs/quickstart",
  "/docs/errors",
  "/docs/limits",
  "/docs/reference",
  "/docs/reference/large-trades",
];
const VIEWS = [
  { name: "phone", width: 390, height: 844 },
  { name: "narrow", width: 360, height: 740 },
  { name: "desktop", width: 1280, height: 900 },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: "string", default: "dist/screenshots" }, paths: { type: "string" } },
});
const [origin] = positionals;
if (origin === undefined) {
  console.error("Usage: npm run look-at-docs -- WEB_ORIGIN [--out DIRECTORY] [--paths PATH,PATH]");
  process.exit(2);
}
const paths = values.paths?.split(",") ?? PATHS;
mkdirSync(values.out, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: [
    ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
    ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
  ],
});
const problems: string[] = [];
let opened = 0;
try {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const { name, width, height } of VIEWS) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme, javaScriptEnabled: true });
      const page = await context.newPage();
      for (const path of paths) {
        const where = `${path} at ${width} px, ${colorScheme}`;
        const report = (problem: string) => problems.push(`${where}: ${problem}`);
        page.removeAllListeners();
        page.on("request", (request) => {
          if (new URL(request.url()).origin !== new URL(origin).origin) report(`requests ${request.url()}`);
        });
        page.on("console", (message) => {
          if (message.type() === "error") report(message.text());
        });
        page.on("pageerror", (error) => report(error.message));
        page.on("requestfailed", (request) => report(`${request.url()} failed`));
        const response = await page.goto(`${origin}${path}`);
        if (response?.status() !== 200) report(`answered ${response?.status()}`);
        const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
        if (overflow > 0) report(`scrolls ${overflow} px sideways`);
        const file = `${path.slice(1).replaceAll("/", "-")}-${name}-${colorScheme}.png`;
        await page.screenshot({ path: join(values.out, file) });
        opened += 1;
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
}
for (const problem of problems) console.error(problem);
console.log(`${opened} pages opened, ${problems.length} problems, screenshots in ${values.out}`);
process.exitCode = problems.length === 0 && opened > 0 ? 0 : 1;
