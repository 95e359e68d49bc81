import { HOME_COUNTRY, PAYMENT_TERM_DAYS, TAX_RATES } from './config.ts';
import { addDays, toDay } from './dates.ts';
import type { Repository } from './repository.ts';
import type { Cents, Invoice, Order, TaxClass } from './types.ts';

/**
 * Tax on the invoice, the one the tax office sees: by class, at the rates of the customer's country, after the discount
 * (spread over the classes by their share), with the shipping at the standard rate, rounded once for each class.
 */
export function computeInvoiceTax(order: Order): Cents {
  if (order.customer.vatId && order.customer.country !== HOME_COUNTRY) return 0;

  const goods = order.lines.reduce((sum, line) => sum + line.product.price * line.quantity, 0);
  const byClass = new Map<TaxClass, Cents>();
  for (const line of order.lines) {
    const before = byClass.get(line.product.taxClass) ?? 0;
    byClass.set(line.product.taxClass, before + line.product.price * line.quantity);
  }

  const rates = TAX_RATES[order.customer.country];
  let tax = 0;
  for (const [taxClass, amount] of byClass) {
    const discounted = goods === 0 ? 0 : amount - (order.discount * amount) / goods;
    const base = taxClass === 'standard' ? discounted + order.shipping : discounted;
    tax += Math.round((base * rates[taxClass]) / 100);
  }
  return tax;
}

export function createInvoice(repository: Repository, order: Order, now: Date): Invoice {
  const existing = repository.invoiceOf(order.id);
  if (existing) return existing;

  const goods = order.lines.reduce((sum, line) => sum + line.product.price * line.quantity, 0);
  const net = goods - order.discount + order.shipping;
  const tax = computeInvoiceTax(order);
  const invoice: Invoice = {
    number: repository.nextInvoiceNumber(now.getUTCFullYear()),
    orderId: order.id,
    issuedOn: toDay(now),
    dueOn: toDay(addDays(now, PAYMENT_TERM_DAYS)),
    net,
    tax,
    gross: net + tax,
  };
  repository.saveInvoice(invoice);
  return invoice;
}

/** True when the invoice asks for another amount than the customer agreed to when ordering. */
export function differsFromOrder(order: Order, invoice: Invoice): boolean {
  return invoice.gross !== order.total;
}

export function isOverdue(invoice: Invoice, now: Date): boolean {
  return toDay(now) > invoice.dueOn;
}
