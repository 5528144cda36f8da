/**
 * Our categories. The order decides between equally specific tags: a game counts as a game before it counts
 * as news.
 */
export const CATEGORIES = [
  "Table Tennis",
  "Pickleball",
  "Esports",
  "Baseball",
  "Basketball",
  "Boxing",
  "Cricket",
  "Football",
  "Golf",
  "Hockey",
  "MMA",
  "Racing",
  "Soccer",
  "Tennis",
  "Crypto",
  "Geopolitics",
  "Stocks",
  "Science & Tech",
  "Pop Culture",
  "Politics",
] as const;

export type Category = (typeof CATEGORIES)[number];

/** The provider's tag slugs by category, separated by spaces. */
export type TagTable = Readonly<Partial<Record<Category, string>>>;

/** Tags that outweigh a sport's tag: the songs of a half-time show are not football. */
export const DECISIVE_TAGS: TagTable = {
  "Pop Culture": "halftime-show",
};

/** Sports, their leagues and tours, and the titles of esports. "Football" is the American game. */
export const SPORT_TAGS: TagTable = {
  "Table Tennis": "table-tennis ping-pong wtt wttms",
  Pickleball: "pickleball",
  Esports:
    "esports league-of-legends lol counter-strike counter-strike-2 cs2 csgo dota-2 dota2 valorant " +
    "rocket-league overwatch rainbow-six-siege call-of-duty mobile-legends-bang-bang starcraft-2 " +
    "honor-of-kings",
  Baseball: "baseball mlb mlb-playoffs world-series kbo npb wbc",
  Basketball:
    "basketball nba nba-playoffs nba-finals wnba ncaab ncaaw cbb cwbb march-madness euroleague " +
    "liga-endesa fiba cba nbl kbl lnb bkvtb bkbbl bkaba bkbsl bkgr1 bkjpn bkfibaqaf bkfibaqam bkfibaqas " +
    "bkfibaqeu",
  Boxing: "boxing",
  Cricket:
    "cricket ipl odi psl sa20 csa-t20 t20-blast international-t20 international-cricket big-bash-league " +
    "sheffield-shield caribbean-premier-league major-league-cricket",
  Football: "football nfl nfl-playoffs nfl-draft super-bowl superbowl cfb ncaaf college-football cfl ufl",
  Golf: "golf pga pga-tour liv liv-golf the-masters ryder-cup",
  Hockey:
    "hockey ice-hockey nhl stanley-cup khl shl ahl dehl cehl mens-winter-olympics-hockey " +
    "womens-winter-olympics-hockey",
  MMA: "mma ufc pfl bellator",
  Racing: "racing f1 formula-1 formula1 formula-e nascar indycar motogp wrc horse-racing kentucky-derby",
  Soccer:
    "soccer epl premier-league la-liga la-liga-2 bundesliga bundesliga-2 serie-a serie-b ligue-1 ligue-2 " +
    "mls nwsl liga-mx ucl uel champions-league europa-league europa-conference-league " +
    "womens-champions-league uefa fifa fifa-world-cup 2026-fifa-world-cup fifa-friendly copa-america " +
    "copa-libertadores copa-del-rey dfb-pokal coupe-de-france efl-championship eredivisie primeira-liga " +
    "brazil-serie-a k-league leagues-cup saudi-professional-league chinese-super-league conmebol concacaf " +
    "afc caf lib sud",
  Tennis: "tennis atp wta wimbledon french-open us-open australian-open",
};

/** Topics within a category. */
export const TOPIC_TAGS: TagTable = {
  Crypto:
    "bitcoin btc ethereum eth solana sol xrp ripple dogecoin bnb hyperliquid crypto-prices up-or-down " +
    "airdrops memecoins defi nft nfts stablecoins microstrategy token-sales",
  Geopolitics:
    "ukraine ukraine-peace-deal ukraine-map russia israel gaza hamas iran us-x-iran middle-east " +
    "foreign-policy war ceasefire military military-action military-strikes nato taiwan north-korea syria " +
    "yemen lebanon venezuela greenland sanctions nuclear-weapons united-nations",
  Stocks:
    "earnings equities sp-500 spx nasdaq stock-prices ipo ipos fed fed-rates jerome-powell interest-rates " +
    "inflation cpi gdp recession unemployment jobs-report commodities gold oil forex treasuries tariffs " +
    "macro-indicators acquisitions",
  "Science & Tech":
    "ai artificial-intelligence openai chatgpt deepseek grok gemini anthropic space spacex nasa starship " +
    "self-driving apple google climate-science climate-weather hurricanes earthquakes pandemics " +
    "daily-temperature global-temp medicine physics",
  "Pop Culture":
    "movies music song songs album albums spotify billboard charts awards oscars grammys emmys " +
    "golden-globes eurovision celebrities tv reality-tv youtube mrbeast taylor-swift kanye box-office " +
    "rotten-tomatoes met-gala netflix google-search tiktok podcasts",
  Politics:
    "trump trump-presidency biden congress senate supreme-court scotus cabinet midterms primaries " +
    "us-election us-presidential-election governor-elections mayoral-elections government-shutdown " +
    "immigration epstein courts doge approval-ratings polls parliament",
};

/** The provider's own sections, and synonyms of our categories. */
export const BROAD_TAGS: TagTable = {
  Crypto: "crypto cryptocurrency",
  Geopolitics: "geopolitics",
  Stocks: "stocks finance financials business economy economic economics economic-policy",
  "Science & Tech": "science tech technology science-and-tech science-and-technology weather climate",
  "Pop Culture": "pop-culture culture entertainment",
  Politics:
    "politics political elections world-elections global-elections us-elections us-politics " +
    "world-politics global-politics us-current-affairs government",
};

/** Regions. Many kinds of markets have these tags, so they decide only when no other tag does. */
export const REGION_TAGS: TagTable = {
  Geopolitics: "world world-affairs china europe eu",
};
