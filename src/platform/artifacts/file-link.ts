import type { Config } from "../../config.ts";
import { isEqualInConstantTime } from "../../lib/crypto/constant-time.ts";
import { hmacSha256, toHex } from "../../lib/crypto/hmac.ts";
import { secretsOf } from "../../lib/crypto/key-ring.ts";

/** A link is valid this long, or until its file expires. */
export const LINK_SECONDS = 3_600;
/** Our own links are below this path of the API's origin. */
export const FILES_PATH = "/files/";

export interface FileLink {
  readonly key: string;
  /** Letters, digits, dots and hyphens. */
  readonly fileName: string;
  readonly expiresAt: Date;
}

/** The verdict on a request for one of our own links. */
export type OpenedLink =
  | { readonly kind: "valid"; readonly key: string; readonly fileName: string }
  | { readonly kind: "forged" | "expired" };

/**
 * A link to a file: presigned by R2's S3 interface where its credentials are configured, else one that the API
 * itself serves. Both have the names of S3 for their start and duration, which clients read.
 */
export async function createFileLink(config: Config, link: FileLink, now: Date): Promise<string> {
  const seconds = Math.min(LINK_SECONDS, Math.floor((link.expiresAt.getTime() - now.getTime()) / 1000));
  return config.r2S3 === null ? signOwn(config, link, seconds, now) : presign(config.r2S3, link, seconds, now);
}

async function signOwn(config: Config, { key, fileName }: FileLink, seconds: number, now: Date): Promise<string> {
  const fields = { date: amzDate(now), expires: String(seconds), fileName };
  const query = new URLSearchParams({
    "X-Amz-Date": fields.date,
    "X-Amz-Expires": fields.expires,
    filename: fileName,
    signature: await signatureOf(config.cursorKeys.current, key, fields),
  });
  return `${config.apiBaseUrl}${FILES_PATH}${key}?${query}`;
}

async function presign(
  { endpoint, bucket, accessKeyId, secretAccessKey }: NonNullable<Config["r2S3"]>,
  { key, fileName }: FileLink,
  seconds: number,
  now: Date,
): Promise<string> {
  const { AwsClient } = await import("aws4fetch");
  const url = new URL(`${endpoint}/${bucket}/${key}`);
  url.searchParams.set("X-Amz-Expires", String(seconds));
  url.searchParams.set("response-content-disposition", dispositionOf(fileName));
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: "s3", region: "auto" });
  const signed = await client.sign(url.href, { method: "GET", aws: { signQuery: true, datetime: amzDate(now) } });
  return signed.url;
}

/** Judges a request for one of our own links. @param url with a path below FILES_PATH */
export async function openFileLink(config: Config, url: URL, now: Date): Promise<OpenedLink> {
  const key = url.pathname.slice(FILES_PATH.length);
  const [date, expires, fileName, signature, ...rest] = [
    "X-Amz-Date",
    "X-Amz-Expires",
    "filename",
    "signature",
  ].flatMap((name) => url.searchParams.getAll(name));
  if (date === undefined || expires === undefined || fileName === undefined || signature === undefined) return FORGED;
  const expected = await Promise.all(
    secretsOf(config.cursorKeys).map((secret) => signatureOf(secret, key, { date, expires, fileName })),
  );
  const isOurs = expected.some((text) => isEqualInConstantTime(encode(text), encode(signature)));
  if (rest.length > 0 || !isOurs) return FORGED;
  const endsAt = parseAmzDate(date) + Number(expires) * 1000;
  return now.getTime() < endsAt ? { kind: "valid", key, fileName } : { kind: "expired" };
}

const FORGED: OpenedLink = { kind: "forged" };

/** The secret signs cursors too. Their texts begin with a prefix that ends in an underscore, never with this word. */
const signatureOf = async (
  secret: string,
  key: string,
  { date, expires, fileName }: { date: string; expires: string; fileName: string },
): Promise<string> => toHex(await hmacSha256(secret, ["file-link", key, date, expires, fileName].join("\n")));

export const dispositionOf = (fileName: string): string => `attachment; filename="${fileName}"`;

/** `20261121T120000Z` */
const amzDate = (instant: Date): string => instant.toISOString().replaceAll(/[-:]|\.\d{3}/g, "");

const parseAmzDate = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
