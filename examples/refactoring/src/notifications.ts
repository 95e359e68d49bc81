import type { Cents, Invoice, Order } from './types.ts';

export interface Mailer {
  send(to: string, subject: string, body: string): void;
}

export function formatMoney(cents: Cents): string {
  const sign = cents < 0 ? '-' : '';
  const value = Math.abs(cents);
  return `${sign}${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')} EUR`;
}

export function sendConfirmation(mailer: Mailer, order: Order): void {
  const lines = order.lines.map((line) => `${line.quantity} x ${line.product.name}`);
  const body = [
    `Thank you for your order ${order.id}.`,
    '',
    ...lines,
    '',
    `Tax: ${formatMoney(order.tax)}`,
    `Total: ${formatMoney(order.total)}`,
    // Local time again: late in the evening this is another day than the one on the invoice.
    `Delivery by ${order.deliverBy.toLocaleDateString('en-GB')}`,
  ].join('\n');
  mailer.send(order.customer.email, `Your order ${order.id}`, body);
}

export function sendInvoice(mailer: Mailer, order: Order, invoice: Invoice): void {
  const body = `Invoice ${invoice.number}: ${formatMoney(invoice.gross)}, of which tax ${formatMoney(invoice.tax)}, due on ${invoice.dueOn}.`;
  mailer.send(order.customer.email, `Invoice ${invoice.number}`, body);
}

export function sendRefundNotice(mailer: Mailer, order: Order, amount: Cents): void {
  mailer.send(order.customer.email, `Refund for order ${order.id}`, `We have returned ${formatMoney(amount)} to you.`);
}
