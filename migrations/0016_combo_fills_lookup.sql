-- Looks up the market of each new entry. As a plain join the planner, which expects few combos, reads all of them for each page.
CREATE OR REPLACE FUNCTION "note_combo_fills"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO combo_fills (entry_id, market_id, traded_at, is_buy, shares_micro, usd_micro, is_taker)
  SELECT e.id, e.market_id, date_trunc('second', e.traded_at), e.kind = 'buy', e.shares_micro, e.usd_micro,
    e.role IS NOT DISTINCT FROM 'taker'
  FROM added e
  CROSS JOIN LATERAL (SELECT m.condition_id FROM markets m WHERE m.id = e.market_id OFFSET 0) m
  WHERE e.kind IN ('buy', 'sell') AND length(m.condition_id) = 64 AND m.condition_id LIKE '0x03%'
  ON CONFLICT (entry_id) DO NOTHING;
  RETURN NULL;
END $$;
