import { createHash, createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../src/config.ts";
import { createFileLink, openFileLink } from "../../../src/platform/artifacts/file-link.ts";
import { TEST_VARIABLES } from "../../support/api/test-variables.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const LINK = {
  key: "exports/17/3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11/file",
  fileName: "whale-trades-17.ndjson",
  expiresAt: new Date("2026-11-22T12:00:00Z"),
};
const own = parseConfig(TEST_VARIABLES);
const S3 = {
  R2_S3_ENDPOINT: "https://account.r2.cloudflarestorage.com",
  R2_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
  R2_SECRET_ACCESS_KEY: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const escapeText = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** The signature of a presigned GET. Source: AWS, "Authenticating Requests: Using Query Parameters". */
function signatureOf(url: URL, secret: string): string {
  const query = [...url.searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${escapeText(name)}=${escapeText(value)}`)
    .toSorted()
    .join("&");
  const path = url.pathname
    .split("/")
    .map((part) => escapeText(decodeURIComponent(part)))
    .join("/");
  const request = ["GET", path, query, `host:${url.host}`, "", "host", "UNSIGNED-PAYLOAD"].join("\n");
  const [, day = "", region = "", service = ""] = (url.searchParams.get("X-Amz-Credential") ?? "").split("/");
  const digest = createHash("sha256").update(request).digest("hex");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", url.searchParams.get("X-Amz-Date"), scope, digest].join("\n");
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), service), "aws4_request");
  return hmac(key, text).toString("hex");
}

test("the expected signature is that of the example that AWS publishes", () => {
  const url = new URL(
    "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=" +
      "AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z" +
      "&X-Amz-Expires=86400&X-Amz-SignedHeaders=host",
  );
  expect(signatureOf(url, S3.R2_SECRET_ACCESS_KEY)).toBe(
    "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  );
});

test("with S3 credentials a link is presigned for the object, for an hour, under the file's name", async () => {
  const url = new URL(await createFileLink(parseConfig({ ...TEST_VARIABLES, ...S3 }), LINK, NOW));
  expect(`${url.origin}${url.pathname}`).toBe(`${S3.R2_S3_ENDPOINT}/artifacts/${LINK.key}`);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": "AKIAIOSFODNN7EXAMPLE/20261121/auto/s3/aws4_request",
    "X-Amz-Date": "20261121T120000Z",
    "X-Amz-Expires": "3600",
    "X-Amz-SignedHeaders": "host",
    "response-content-disposition": `attachment; filename="${LINK.fileName}"`,
  });
  expect(url.searchParams.get("X-Amz-Signature")).toBe(signatureOf(url, S3.R2_SECRET_ACCESS_KEY));
  expect(url.href).not.toContain(S3.R2_SECRET_ACCESS_KEY);
});

test("S3 credentials are configured by three variables or not at all", () => {
  for (const name of Object.keys(S3))
    expect(() => parseConfig({ ...TEST_VARIABLES, ...S3, [name]: undefined })).toThrow(`${name} is missing`);
  expect(() => parseConfig({ ...TEST_VARIABLES, ...S3, R2_S3_ENDPOINT: "http://account.example" })).toThrow("https");
});

describe("a link of ours", () => {
  test("opens until its end, and not at its end", async () => {
    const url = new URL(await createFileLink(own, LINK, NOW));
    expect(url.href.startsWith(`http://api.test/files/${LINK.key}?`)).toBe(true);
    const valid = { kind: "valid", key: LINK.key, fileName: LINK.fileName };
    expect(await openFileLink(own, url, NOW)).toEqual(valid);
    expect(await openFileLink(own, url, new Date(NOW.getTime() + 3_599_999))).toEqual(valid);
    expect(await openFileLink(own, url, new Date(NOW.getTime() + 3_600_000))).toEqual({ kind: "expired" });
  });

  test("never outlives its file", async () => {
    const soon = { ...LINK, expiresAt: new Date(NOW.getTime() + 90_999) };
    const url = new URL(await createFileLink(own, soon, NOW));
    expect(url.searchParams.get("X-Amz-Expires")).toBe("90");
  });

  test("of an earlier secret stays valid while that secret is configured", async () => {
    const next = "another-cursor-secret-of-32-bytes-or-more";
    const rotated = parseConfig({
      ...TEST_VARIABLES,
      CURSOR_SECRET: next,
      CURSOR_SECRET_PREVIOUS: TEST_VARIABLES.CURSOR_SECRET,
    });
    const url = new URL(await createFileLink(own, LINK, NOW));
    expect(await openFileLink(rotated, url, NOW)).toMatchObject({ kind: "valid", key: LINK.key });
    const fresh = new URL(await createFileLink(rotated, LINK, NOW));
    expect(await openFileLink(rotated, fresh, NOW)).toMatchObject({ kind: "valid", key: LINK.key });
    expect(await openFileLink(own, fresh, NOW)).toEqual({ kind: "forged" });
  });

  test("of another secret is forged", async () => {
    const other = parseConfig({ ...TEST_VARIABLES, CURSOR_SECRET: "another-cursor-secret-of-32-bytes-or-more" });
    expect(await openFileLink(own, new URL(await createFileLink(other, LINK, NOW)), NOW)).toEqual({ kind: "forged" });
  });
});
