import { PRICE_DECIMALS, toMicro } from "./parse-fields.ts";

/**
 * How a row of an archive becomes a fill: one SQL expression of DuckDB for each field, over the columns of the file.
 * docs/load.md has the same map in words.
 */
export interface ArchiveForm {
  readonly name: FormName;
  readonly wallet: string;
  readonly tokenId: string;
  readonly conditionId: string;
  readonly side: string;
  readonly sharesMicro: string;
  /** A decimal, dollars a share; or an integer of `PRICE_DECIMALS` decimals. */
  readonly price: { readonly text: string } | { readonly units: string };
  /** Null: shares times price, as ingest computes it from a row of the trade feed. */
  readonly usdMicro: string | null;
  readonly feeMicro: string;
  readonly tradedAt: string;
  readonly txHash: string;
  /** Null: equal rows of one transaction are numbered as ingest numbers them. */
  readonly ordinal: string | null;
  readonly role: string;
  readonly outcomeIndex: string;
  readonly outcomeLabel: string;
  readonly title: string;
  readonly slug: string;
  readonly eventSlug: string;
  readonly icon: string;
  readonly username: string;
  readonly profileImage: string;
}

type FormName = "provider trades" | "own archive" | "order fills";

/** Names of one column in published data sets, the preferred one first. */
const ALIASES = {
  wallet: ["proxy_wallet", "proxywallet", "wallet"],
  tokenId: ["token_id", "asset", "asset_id"],
  conditionId: ["condition_id", "conditionid"],
  side: ["side"],
  size: ["size", "shares"],
  price: ["price"],
  tradedAt: ["timestamp", "traded_at", "block_timestamp"],
  txHash: ["transaction_hash", "transactionhash", "tx_hash"],
  role: ["role"],
  fee: ["fee"],
  outcomeIndex: ["outcome_index", "outcomeindex"],
  outcomeLabel: ["outcome"],
  title: ["title"],
  slug: ["slug"],
  eventSlug: ["event_slug", "eventslug"],
  icon: ["icon"],
  username: ["name"],
  profileImage: ["profile_image", "profileimage"],
  maker: ["maker"],
  taker: ["taker"],
  makerAsset: ["makerassetid", "maker_asset_id"],
  takerAsset: ["takerassetid", "taker_asset_id"],
  makerAmount: ["makeramountfilled", "maker_amount_filled"],
  takerAmount: ["takeramountfilled", "taker_amount_filled"],
} as const;

type Field = keyof typeof ALIASES;

const TRADE_FIELDS = ["wallet", "tokenId", "conditionId", "side", "size", "price", "tradedAt", "txHash"] as const;
const ARCHIVE_COLUMNS = [
  "tx_hash",
  "ordinal",
  "wallet",
  "condition_id",
  "token_id",
  "side",
  "shares_micro",
  "usd_micro",
];
const ORDER_FIELDS = [
  "maker",
  "taker",
  "makerAsset",
  "takerAsset",
  "makerAmount",
  "takerAmount",
  "tradedAt",
  "txHash",
] as const;

/**
 * The form of a file by its columns; null for a file that has no known form.
 *
 * @param exchanges addresses that an order fill names as the taker of a taker's own order
 */
export function findForm(columns: readonly string[], exchanges: readonly string[]): ArchiveForm | null {
  const names = new Map(columns.map((name) => [name.toLowerCase(), name]));
  const find = (field: Field): string | null => {
    const name = ALIASES[field].find((alias) => names.has(alias));
    return name === undefined ? null : `trim("${names.get(name) ?? name}"::varchar)`;
  };
  const optional = (field: Field): string => find(field) ?? "null::varchar";
  const required = (field: Field): string => find(field) ?? "";
  const hints = {
    outcomeIndex: optional("outcomeIndex"),
    outcomeLabel: optional("outcomeLabel"),
    title: optional("title"),
    slug: optional("slug"),
    eventSlug: optional("eventSlug"),
    icon: optional("icon"),
    username: optional("username"),
    profileImage: optional("profileImage"),
  };
  const common = {
    wallet: required("wallet"),
    tokenId: required("tokenId"),
    conditionId: required("conditionId"),
    side: required("side"),
    price: { text: required("price") },
    tradedAt: required("tradedAt"),
    txHash: required("txHash"),
    role: optional("role"),
    ...hints,
  };
  if (ARCHIVE_COLUMNS.every((name) => names.has(name))) {
    return {
      ...common,
      name: "own archive",
      sharesMicro: `try_cast("shares_micro" as bigint)`,
      usdMicro: `try_cast("usd_micro" as bigint)`,
      feeMicro: "null::bigint",
      ordinal: `try_cast("ordinal" as bigint)`,
    };
  }
  if (TRADE_FIELDS.every((field) => find(field) !== null)) {
    return {
      ...common,
      name: "provider trades",
      sharesMicro: toMicro(required("size")),
      usdMicro: null,
      feeMicro: find("fee") === null ? "null::bigint" : toMicro(required("fee")),
      ordinal: null,
    };
  }
  if (!ORDER_FIELDS.every((field) => find(field) !== null)) return null;
  return orderFills(required, hints, find("fee") === null ? "null::bigint" : required("fee"), exchanges);
}

/**
 * The order's maker gives `makerAmount` and gets `takerAmount`: asset 0 is dollars, so a buyer gives asset 0. The
 * fee of a purchase may be in shares (exchanges of 2022 to April 2026), so only the fee of a sale is dollars.
 */
function orderFills(
  required: (field: Field) => string,
  hints: Pick<ArchiveForm, "outcomeIndex" | "outcomeLabel" | "title" | "slug" | "eventSlug" | "icon" | "username"> &
    Pick<ArchiveForm, "profileImage">,
  fee: string,
  exchanges: readonly string[],
): ArchiveForm {
  const [makerAsset, takerAsset] = [required("makerAsset"), required("takerAsset")];
  const isBuy = `(${makerAsset} = '0' and ${takerAsset} <> '0')`;
  const isSale = `(${takerAsset} = '0' and ${makerAsset} <> '0')`;
  const amount = (field: Field) => `try_cast(${required(field)} as bigint)`;
  const shares = `case when ${isBuy} then ${amount("takerAmount")} when ${isSale} then ${amount("makerAmount")} end`;
  const usd = `case when ${isBuy} then ${amount("makerAmount")} when ${isSale} then ${amount("takerAmount")} end`;
  // The provider's prices have ten decimals, also those that are computed from the amounts of an order.
  const units = `(((${usd})::hugeint * 1${"0".repeat(PRICE_DECIMALS)} + (${shares}) // 2) // nullif(${shares}, 0))`;
  const isTaker = `lower(${required("taker")}) in (${exchanges.map((address) => `'${address}'`).join(", ")})`;
  return {
    ...hints,
    name: "order fills",
    wallet: required("maker"),
    tokenId: `case when ${isBuy} then ${takerAsset} else ${makerAsset} end`,
    // Events do not name the market: it comes from a file of markets.
    conditionId: "null::varchar",
    side: `case when ${isBuy} then 'BUY' when ${isSale} then 'SELL' end`,
    sharesMicro: shares,
    price: { units: `try_cast(${units} as bigint)` },
    // Like the provider's feed, whose price has ten decimals.
    usdMicro: null,
    feeMicro: `case when ${isSale} then try_cast(${fee} as bigint) end`,
    tradedAt: required("tradedAt"),
    txHash: required("txHash"),
    ordinal: null,
    role: `case when ${isTaker} then 'taker' end`,
  };
}
