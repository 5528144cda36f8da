import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadSecrets } from "../../../../scripts/start/local-secrets.ts";

function aDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), "secrets-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

test("a data directory stores its secrets, readable by its owner only", () => {
  const dir = aDirectory();
  const first = loadSecrets(dir, "svc");
  expect(first.apiKey).toMatch(/^svc_sk_live_[0-9a-f]{64}$/);
  expect(first.credentialSecret).toMatch(/^[0-9a-f]{64}$/);
  expect(first.cursorSecret).toMatch(/^[0-9a-f]{64}$/);
  expect(first.sessionSecret).toMatch(/^[0-9a-f]{64}$/);
  expect(first.archiveSigningKey).toMatch(/^MC4CAQAwBQYDK2VwBCIEI[\w-]{43}$/);
  expect(loadSecrets(dir, "svc")).toEqual(first);
  expect(statSync(join(dir, "secrets.json")).mode & 0o777).toBe(0o600);
});

test("a directory of an earlier version keeps its secrets and gets the missing one once", () => {
  const dir = aDirectory();
  const { sessionSecret: _lacking, ...earlier } = loadSecrets(dir, "svc");
  writeFileSync(join(dir, "secrets.json"), JSON.stringify(earlier));
  const now = loadSecrets(dir, "svc");
  expect(now).toEqual({ ...earlier, sessionSecret: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(JSON.parse(readFileSync(join(dir, "secrets.json"), "utf8"))).toEqual(now);
});

test("two directories never share a secret", () => {
  const [one, other] = [loadSecrets(aDirectory(), "svc"), loadSecrets(aDirectory(), "svc")];
  expect(new Set([...Object.values(one), ...Object.values(other)]).size).toBe(12);
});
