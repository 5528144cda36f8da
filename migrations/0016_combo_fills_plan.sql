-- Planned at each execution: the plan of a session's first page, which may read all markets, would stay that of all later pages.
CREATE OR REPLACE FUNCTION "note_combo_fills"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE $insert$
    INSERT INTO combo_fills (entry_id, market_id, traded_at, is_buy, shares_micro, usd_micro, is_taker)
    SELECT e.id, e.market_id, date_trunc('second', e.traded_at), e.kind = 'buy', e.shares_micro, e.usd_micro,
      e.role IS NOT DISTINCT FROM 'taker'
    FROM added e JOIN markets m ON m.id = e.market_id
    WHERE e.kind IN ('buy', 'sell') AND length(m.condition_id) = 64 AND m.condition_id LIKE '0x03%'
    ON CONFLICT (entry_id) DO NOTHING
  $insert$;
  RETURN NULL;
END $$;
