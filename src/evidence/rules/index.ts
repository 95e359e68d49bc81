import { daysStand, monthsStand } from './months.ts';
import { negationsAgree } from './negation.ts';
import { pairsStand } from './number-pairs.ts';
import { numbersStand } from './numbers.ts';
import { orderHolds } from './order.ts';
import { quantifiersHold } from './quantifiers.ts';
import type { Rule } from './rule.ts';
import { namesInPlace } from './swapped-names.ts';

/** Every rule by what it looks at; the first that finds a fault tells the reason. */
export const rules = {
  numbers: numbersStand,
  pairs: pairsStand,
  months: monthsStand,
  days: daysStand,
  negation: negationsAgree,
  names: namesInPlace,
  order: orderHolds,
  quantifiers: quantifiersHold,
} as const satisfies Readonly<Record<string, Rule>>;
