import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Session } from "../../db/client.ts";
import { skillStories } from "../../db/schema.ts";
import { array, columnNames, excluded, integer, run, selectRows, setEach } from "../../db/sql.ts";
import type { StorySums } from "../../scoring/skill/story-sums.ts";

/** The sums of one trader in one story. */
export interface TraderStory extends StorySums {
  readonly traderId: number;
  readonly story: number;
}

const FIELDS = ["traderId", "story", "edge", "information", "deviation"] as const;
const KEYS = [skillStories.traderId, skillStories.story];
const COLUMNS = FIELDS.map((field) => skillStories[field]);

const StoryRow = z.object({
  trader_id: integer,
  story: integer,
  edge: integer,
  information: integer,
  deviation: integer,
});

/** Loads the stored sums of stories. One without sums is left out. */
export async function loadStories(
  session: Session,
  wanted: readonly Pick<TraderStory, "traderId" | "story">[],
): Promise<TraderStory[]> {
  if (wanted.length === 0) return [];
  const traderIds = wanted.map(({ traderId }) => traderId);
  const stories = wanted.map(({ story }) => story);
  const rows = await selectRows(
    session,
    sql`select ${skillStories.traderId}, ${skillStories.story}, ${skillStories.edge}, ${skillStories.information},
       ${skillStories.deviation}
     from unnest(${array(traderIds, "bigint")}, ${array(stories, "bigint")}) as wanted(${columnNames(...KEYS)})
     join ${skillStories} using (${columnNames(...KEYS)})`,
    StoryRow,
  );
  return rows.map(({ trader_id: traderId, ...sums }) => ({ traderId, ...sums }));
}

export async function writeStories(session: Session, stories: readonly TraderStory[]): Promise<void> {
  if (stories.length === 0) return;
  const values = FIELDS.map((field) =>
    array(
      stories.map((story) => story[field]),
      "bigint",
    ),
  );
  await run(
    session,
    sql`insert into ${skillStories} (${columnNames(...COLUMNS)})
     select sums.* from unnest(${sql.join(values, sql`, `)}) as sums
     on conflict (${columnNames(...KEYS)}) do update set ${setEach(
       COLUMNS.filter((column) => !KEYS.includes(column)),
       excluded,
     )}`,
  );
}
