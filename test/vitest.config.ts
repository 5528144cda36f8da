import { availableParallelism } from "node:os";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { unstable_readConfig as readConfig } from "wrangler";
import { LongestFirst } from "./support/setup/longest-first.ts";
import { TEST_SIGNING_KEY } from "./support/archive/signing-key.ts";

const root = new URL("..", import.meta.url).pathname;
const configPath = "./wrangler.toml";
const START_SERVICES = "./test/support/setup/start-services.ts";
const PROVIDE_SEED = "./test/support/setup/provide-seed.ts";
const SEED_FAST_CHECK = "./test/support/setup/seed-fast-check.ts";
const BUILD_WEBSITE = "./test/support/setup/build-website.ts";

/** Several times what the longest test takes alone: other work of the machine must not fail a test. */
const TEST_MS = 240_000;

/** Node runs TypeScript itself, as for scripts; that takes a quarter less time than the transforms of Vite. */
const NATIVE_IMPORTS = { viteModuleRunner: false, nodeLoader: false };

// One module graph per thread: most of these tests take less time than loading the modules again.
const inNode = {
  pool: "threads" as const,
  isolate: false,
  testTimeout: TEST_MS,
  setupFiles: [SEED_FAST_CHECK],
  experimental: NATIVE_IMPORTS,
};

// The bundler follows [alias] of wrangler.toml, Vitest does not.
const asDeployed = { alias: [{ find: /^zod$/, replacement: `${root}src/lib/deferred-zod.ts` }] };

const inWorkerd = {
  globalSetup: [PROVIDE_SEED, BUILD_WEBSITE, START_SERVICES],
  testTimeout: TEST_MS,
  isolate: false,
  setupFiles: [SEED_FAST_CHECK, "./test/support/setup/forget-objects.ts"],
};

const workerd = () =>
  cloudflareTest(({ inject }) => {
    const services = inject("services");
    return {
      wrangler: { configPath },
      miniflare: {
        bindings: {
          // A .dev.vars of the developer would replace these.
          ...readConfig({ config: configPath }).vars,
          ALLOW_LOOPBACK_RECEIVERS: "false",
          DATABASE_URL: services.postgresUrl,
          NEON_HTTP_ENDPOINT: services.neonHttpEndpoint,
          NEON_SOCKET_PROXY: services.neonSocketProxy,
          UPSTASH_REDIS_REST_URL: services.redisUrl,
          UPSTASH_REDIS_REST_TOKEN: services.redisToken,
          CREDENTIAL_SECRET: "test-credential-secret-of-32-bytes-or-more",
          CURSOR_SECRET: "test-cursor-secret-of-32-bytes-or-more",
          SESSION_SECRET: "test-session-secret-of-32-bytes-or-more",
          ARCHIVE_SIGNING_KEY: TEST_SIGNING_KEY,
          API_BASE_URL: "http://api.test",
          WEB_BASE_URL: "http://web.test",
          SANDBOX_BASE_URL: "http://sandbox.test",
        },
      },
    };
  });

export default defineConfig({
  root,
  test: {
    // Vitest reserves a core for its own process, which hardly needs one: with two cores that would be half
    // of them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    hookTimeout: TEST_MS,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { ...inNode, name: "unit", include: ["test/unit/**/*.test.ts"], globalSetup: [PROVIDE_SEED] },
      },
      {
        extends: true,
        test: {
          ...inNode,
          name: "simulations",
          include: ["test/simulations/**/*.test.ts"],
          globalSetup: [PROVIDE_SEED],
        },
      },
      {
        extends: true,
        test: { ...inNode, name: "db", include: ["test/db/**/*.test.ts"], globalSetup: [PROVIDE_SEED, START_SERVICES] },
      },
      {
        extends: true,
        plugins: [workerd()],
        resolve: asDeployed,
        test: { ...inWorkerd, name: "worker", include: ["test/worker/**/*.test.ts"] },
      },
      {
        extends: true,
        plugins: [workerd()],
        resolve: asDeployed,
        test: { ...inWorkerd, name: "plans", include: ["test/plans/**/*.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          experimental: NATIVE_IMPORTS,
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: [PROVIDE_SEED],
          testTimeout: 300_000,
          // Longer than a start on a busy machine.
          hookTimeout: 930_000,
        },
      },
    ],
  },
});
