/**
 * Regions in which Neon and Upstash both have databases, as Cloudflare's placement names them, with the location
 * hint of Durable Objects nearest to each.
 */
export const REGIONS = {
  "aws:us-east-1": "enam",
  "aws:us-west-2": "wnam",
  "aws:eu-central-1": "weur",
  "aws:eu-west-2": "weur",
  "aws:ap-southeast-1": "apac",
  "aws:ap-southeast-2": "oc",
  "aws:sa-east-1": "sam",
} as const;

export type Region = keyof typeof REGIONS;

export const REGION_NAMES = Object.keys(REGIONS) as readonly Region[];

export const isRegion = (text: string): text is Region => Object.hasOwn(REGIONS, text);
