import type { Cents, Customer } from './types.ts';

interface Coupon {
  readonly code: string;
  readonly percent: number;
  readonly minimum: Cents;
}

const COUPONS: readonly Coupon[] = [
  { code: 'WELCOME10', percent: 10, minimum: 2000 },
  { code: 'SPRING15', percent: 15, minimum: 4000 },
  { code: 'STAFF30', percent: 30, minimum: 0 },
];

function couponDiscount(goods: Cents, code: string | undefined): Cents {
  if (code === undefined) return 0;
  const coupon = COUPONS.find((candidate) => candidate.code === code.trim().toUpperCase());
  if (!coupon || goods < coupon.minimum) return 0;
  return Math.round((goods * coupon.percent) / 100);
}

/** One cent for each loyalty point, up to a fifth of the goods. */
function loyaltyDiscount(goods: Cents, customer: Customer): Cents {
  return Math.min(customer.loyaltyPoints, Math.floor(goods / 5));
}

/** Discounts do not add up: the customer gets the better one. */
export function bestDiscount(goods: Cents, customer: Customer, coupon?: string): Cents {
  return Math.max(couponDiscount(goods, coupon), loyaltyDiscount(goods, customer));
}

/** The rule until 2023: discounts added up. Not called any more. */
export function stackedDiscount(goods: Cents, customer: Customer, coupon?: string): Cents {
  const first = couponDiscount(goods, coupon);
  return first + loyaltyDiscount(goods - first, customer);
}

export function isCoupon(code: string): boolean {
  return COUPONS.some((coupon) => coupon.code === code.trim().toUpperCase());
}
