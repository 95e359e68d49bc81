import { labelsStand } from './labels.ts';
import { daysStand, monthsStand, monthYearsStand } from './months.ts';
import { namesInPlace } from './names/swapped-names.ts';
import { negationsAgree } from './negation.ts';
import { pairsStand } from './number-pairs.ts';
import { numbersStand } from './numbers.ts';
import { orderHolds } from './order.ts';
import { quantifiersHold } from './quantifiers.ts';
import type { Rule } from './rule.ts';

/** All rules, in the order in which they are asked; the first fault gives the reason. */
export const rules = {
  labels: labelsStand,
  numbers: numbersStand,
  pairs: pairsStand,
  months: monthsStand,
  monthYears: monthYearsStand,
  days: daysStand,
  negation: negationsAgree,
  names: namesInPlace,
  order: orderHolds,
  quantifiers: quantifiersHold,
} as const satisfies Readonly<Record<string, Rule>>;
