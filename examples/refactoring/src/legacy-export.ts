import { addWorkingDays, toDay } from './dates.ts';
import type { Order } from './types.ts';

/**
 * The nightly file for the old accounting system, which was switched off in 2024. Nothing imports this file; the
 * scheduler's entry for it is gone as well.
 */
export function exportForAccounting(orders: readonly Order[]): string {
  const rows = orders.map((order) => {
    const bookedOn = toDay(addWorkingDays(order.placedAt, 1));
    return [order.id, bookedOn, order.customer.country, order.total, order.tax].join(';');
  });
  return ['id;booked;country;total;tax', ...rows, ''].join('\n');
}

export function exportFileName(now: Date): string {
  return `orders-${toDay(now).replaceAll('-', '')}.csv`;
}
