import { z } from "zod";
import { EXCHANGE_FAMILIES, type ExchangeFamily } from "../../domain/trades/exchange-families.ts";
import { integer } from "../sql.ts";

/** A column with the number of an exchange. */
export const exchangeFamily = integer.transform((number, context): ExchangeFamily => {
  const family = EXCHANGE_FAMILIES[number];
  if (family !== undefined) return family;
  context.addIssue("expected the number of an exchange");
  return z.NEVER;
});

export const numberOfExchange = (family: ExchangeFamily): number => EXCHANGE_FAMILIES.indexOf(family);
