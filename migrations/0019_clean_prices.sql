-- The price of a captured trade as src/domain/trade-price.ts has it: what was captured before has the provider's quotient.
UPDATE "large_trades" l SET "price" = trim_scale(CASE WHEN abs(q.ticks * l.shares_micro - l.size_usd_micro::numeric * 10000) <= 10000
  THEN q.ticks / 10000 ELSE q.millionths / 1000000 END)
FROM (
  SELECT id, div(size_usd_micro::numeric * 20000 + shares_micro, 2 * shares_micro::numeric) AS ticks,
    div(size_usd_micro::numeric * 2000000 + shares_micro, 2 * shares_micro::numeric) AS millionths
  FROM "large_trades" WHERE shares_micro > 0
) q WHERE q.id = l.id;
