/** A sum in USD as people read it: `$0.02`; more digits for less than a cent. */
export const money = (usd: number): string => `$${usd === 0 || usd >= 0.01 ? usd.toFixed(2) : usd.toPrecision(2)}`;
