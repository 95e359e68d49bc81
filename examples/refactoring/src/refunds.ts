import { RETURN_WINDOW_DAYS } from './config.ts';
import { type Mailer, sendRefundNotice } from './notifications.ts';
import type { Repository } from './repository.ts';
import type { Cents, Order, Refund } from './types.ts';

/** Thirty days of 24 hours each from the moment of the order, so the hour counts, unlike on invoices. */
export function canReturn(order: Order, now: Date): boolean {
  const age = now.getTime() - order.placedAt.getTime();
  return age <= RETURN_WINDOW_DAYS * 24 * 60 * 60 * 1000;
}

/** The tax part is taken from the order and not from the invoice, in proportion to the goods returned. */
export function refundLines(repository: Repository, mailer: Mailer, id: string, skus: string[], now: Date): Refund {
  const order = repository.order(id);
  if (!canReturn(order, now)) throw new Error(`order ${id} is too old to return`);

  const goods = order.lines.reduce((sum, line) => sum + line.product.price * line.quantity, 0);
  const returned = order.lines
    .filter((line) => skus.includes(line.product.sku))
    .reduce((sum, line) => sum + line.product.price * line.quantity, 0);
  const share = goods === 0 ? 0 : returned / goods;
  const taxPart: Cents = Math.round(order.tax * share);
  const amount: Cents = Math.round(returned - order.discount * share) + taxPart;

  const refund: Refund = { orderId: id, amount, taxPart, createdOn: now.toISOString().slice(0, 10) };
  repository.saveRefund(refund);
  if (share === 1) order.state = 'refunded';
  sendRefundNotice(mailer, order, amount);
  return refund;
}
