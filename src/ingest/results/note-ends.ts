import type { Session } from "../../db/client.ts";

/**
 * Notes that markets have ended, have got a result or have lost one: a text of its own each time, which `announce-generations.ts` announces as
 * `results`. The caller holds the ledger lock, so that it only moves forward.
 */
export async function noteEnds(session: Session): Promise<void> {
  await session.query(
    `insert into ingest_checkpoints (feed, state, updated_at) values ('results', jsonb_build_object('since', clock_timestamp()), now())
     on conflict (feed) do update set state = excluded.state, updated_at = excluded.updated_at`,
  );
}
