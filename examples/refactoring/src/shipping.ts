import { FREE_SHIPPING_FROM, HOME_COUNTRY } from './config.ts';
import type { Cents, Country, Line } from './types.ts';

const PARCELS: readonly { readonly upToGrams: number; readonly home: Cents; readonly abroad: Cents }[] = [
  { upToGrams: 1000, home: 390, abroad: 890 },
  { upToGrams: 5000, home: 590, abroad: 1390 },
  { upToGrams: 20_000, home: 990, abroad: 2290 },
];

export function weightOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + line.product.weightGrams * line.quantity, 0);
}

/** `value` is what the goods cost after the discount; from 50.00 on, shipping inside the home country is free. */
export function shippingCost(lines: readonly Line[], country: Country, value: Cents): Cents {
  if (lines.length === 0) return 0;
  const home = country === HOME_COUNTRY;
  if (home && value >= FREE_SHIPPING_FROM) return 0;
  const weight = weightOf(lines);
  const parcel = PARCELS.find((candidate) => weight <= candidate.upToGrams);
  if (parcel) return home ? parcel.home : parcel.abroad;
  return (home ? 1490 : 3490) * Math.ceil(weight / 30_000);
}

export function deliveryDays(country: Country): number {
  switch (country) {
    case 'DE':
      return 2;
    case 'NL':
      return 3;
    case 'DK':
      return 4;
    case 'SE':
      return 5;
  }
}
