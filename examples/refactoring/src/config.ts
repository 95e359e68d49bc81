import type { Country, TaxClass } from './types.ts';

export const HOME_COUNTRY: Country = 'DE';

/** Tax rates in percent, by country and class. Checked with the accountant every January. */
export const TAX_RATES: Record<Country, Record<TaxClass, number>> = {
  DE: { standard: 19, reduced: 7, exempt: 0 },
  SE: { standard: 25, reduced: 12, exempt: 0 },
  DK: { standard: 25, reduced: 25, exempt: 0 },
  NL: { standard: 21, reduced: 9, exempt: 0 },
};

export const PAYMENT_TERM_DAYS = 14;
export const RETURN_WINDOW_DAYS = 30;
export const FREE_SHIPPING_FROM = 5000;
export const MAX_LINES = 50;

/** Was meant to switch to one shared tax function. Nothing reads it. */
export const USE_SHARED_TAX = false;
