import { createServer } from "node:http";

/*
 * The provider of the ingest benchmark, in its own process. Pages of generated trades in the provider's
 * current shape are built in advance, so that the measurement covers ingest and not page generation. Usage:
 * node page-server.ts TRADES WALLETS MARKETS
 */
const [trades = 100_000, wallets = 5_000, markets = 400] = process.argv.slice(2).map(Number);
const PAGE_ROWS = 1_000;

let state = 12_345;
function random(): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return state / 4_294_967_296;
}

const hex = (n: number, digits: number) => `0x${n.toString(16).padStart(digits, "0")}`;
// Recent, newest first, three trades a second.
const newest = Math.floor(Date.now() / 1000);

function tradeRow(n: number) {
  const wallet = Math.floor(wallets * random() ** 2);
  const market = Math.floor(markets * random() ** 2);
  const outcome = random() < 0.5 ? 0 : 1;
  return {
    proxy_wallet: hex(wallet + 1, 40),
    side: random() < 0.6 ? "BUY" : "SELL",
    token_id: String(1_000_000 + market * 2 + outcome),
    condition_id: hex(market + 1, 64),
    size: Math.round((1 + 400 * random() ** 3) * 100) / (random() < 0.002 ? 1 : 100),
    price: Math.round((0.05 + 0.9 * random()) * 1000) / 1000,
    timestamp: newest - Math.floor(n / 3),
    title: `Generated market ${market}`,
    slug: `generated-market-${market}`,
    icon: "",
    event_slug: `generated-event-${market >> 2}`,
    outcome: outcome === 0 ? "Yes" : "No",
    outcome_index: outcome,
    name: `generated-${wallet}`,
    pseudonym: "",
    bio: "",
    profile_image: "",
    profile_image_optimized: "",
    transaction_hash: hex(n + 1, 64),
  };
}

const pages: Buffer[] = [];
for (let first = 0; first < trades; first += PAGE_ROWS) {
  const data = Array.from({ length: Math.min(PAGE_ROWS, trades - first) }, (_, i) => tradeRow(first + i));
  const more = first + PAGE_ROWS < trades;
  const pagination = {
    limit: PAGE_ROWS,
    offset: 0,
    has_more: more,
    next_cursor: more ? String(pages.length + 1) : null,
  };
  pages.push(Buffer.from(JSON.stringify({ data, pagination })));
}

const EMPTY_DATA = Buffer.from(JSON.stringify({ data: [], pagination: { next_cursor: null } }));
const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost");
  response.setHeader("content-type", "application/json");
  if (url.pathname.endsWith("/v2/trades"))
    response.end(pages[Number(url.searchParams.get("cursor") ?? 0)] ?? EMPTY_DATA);
  else if (url.pathname.includes("/v2/")) response.end(EMPTY_DATA);
  else if (url.pathname.endsWith("/books")) response.end("[]");
  else if (url.pathname.includes("/events")) response.end(JSON.stringify({ events: [] }));
  else response.end(JSON.stringify({ markets: [] }));
});
process.on("disconnect", () => process.exit(0));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" && address !== null ? address.port : 0);
});
