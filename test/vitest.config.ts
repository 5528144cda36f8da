import { availableParallelism } from "node:os";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;

export default defineConfig({
  root,
  test: {
    // Vitest leaves a core to its own process, which hardly needs one: with two cores half of them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: ["./test/support/global-setup.ts"],
    projects: [
      {
        extends: true,
        // One module graph a thread: most of these tests take less time than loading it anew would.
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          testTimeout: 20_000,
          pool: "threads",
          isolate: false,
        },
      },
      {
        extends: true,
        plugins: [
          cloudflareTest(({ inject }) => {
            const services = inject("services");
            return {
              wrangler: { configPath: "./wrangler.toml" },
              miniflare: {
                bindings: {
                  DATABASE_URL: services.postgresUrl,
                  NEON_HTTP_ENDPOINT: services.neonHttpEndpoint,
                  NEON_SOCKET_PROXY: services.neonSocketProxy,
                  UPSTASH_REDIS_REST_URL: services.redisUrl,
                  UPSTASH_REDIS_REST_TOKEN: services.redisToken,
                  CREDENTIAL_SECRET: "test-credential-secret-of-32-bytes-or-more",
                  CURSOR_SECRET: "test-cursor-secret-of-32-bytes-or-more",
                  SESSION_SECRET: "test-session-secret-of-32-bytes-or-more",
                  API_BASE_URL: "http://api.test",
                  WEB_BASE_URL: "http://web.test",
                },
              },
            };
          }),
        ],
        test: {
          name: "worker",
          include: ["test/worker/**/*.test.ts"],
          testTimeout: 20_000,
          isolate: false,
          setupFiles: ["./test/support/forget-objects.ts"],
        },
      },
      {
        extends: true,
        test: { name: "e2e", include: ["test/e2e/**/*.test.ts"], testTimeout: 180_000, hookTimeout: 180_000 },
      },
    ],
  },
});
