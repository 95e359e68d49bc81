import type { Invoice, Order, Refund } from './types.ts';

/** Everything in memory. The real one speaks SQL and has the same shape. */
export class Repository {
  private readonly orders = new Map<string, Order>();
  private readonly invoices = new Map<string, Invoice>();
  private readonly refunds: Refund[] = [];
  private readonly stock = new Map<string, number>();
  private nextInvoice = 1;

  saveOrder(order: Order): void {
    this.orders.set(order.id, order);
  }

  order(id: string): Order {
    const order = this.orders.get(id);
    if (!order) throw new Error(`no order ${id}`);
    return order;
  }

  allOrders(): readonly Order[] {
    return [...this.orders.values()];
  }

  saveInvoice(invoice: Invoice): void {
    this.invoices.set(invoice.orderId, invoice);
  }

  invoiceOf(orderId: string): Invoice | undefined {
    return this.invoices.get(orderId);
  }

  allInvoices(): readonly Invoice[] {
    return [...this.invoices.values()];
  }

  nextInvoiceNumber(year: number): string {
    const number = this.nextInvoice++;
    return `${year}-${String(number).padStart(6, '0')}`;
  }

  saveRefund(refund: Refund): void {
    this.refunds.push(refund);
  }

  refundsOf(orderId: string): readonly Refund[] {
    return this.refunds.filter((refund) => refund.orderId === orderId);
  }

  setStock(sku: string, count: number): void {
    this.stock.set(sku, count);
  }

  stockOf(sku: string): number {
    return this.stock.get(sku) ?? 0;
  }

  takeStock(sku: string, count: number): boolean {
    const left = this.stockOf(sku) - count;
    if (left < 0) return false;
    this.stock.set(sku, left);
    return true;
  }
}
