import { daysBetween, startOfMonth } from './dates.ts';
import { isOverdue } from './invoice.ts';
import { formatMoney } from './notifications.ts';
import type { Repository } from './repository.ts';
import type { Cents } from './types.ts';

export interface MonthlyReport {
  readonly month: string;
  readonly orders: number;
  readonly revenue: Cents;
  readonly taxFromOrders: Cents;
  readonly taxFromInvoices: Cents;
  readonly overdue: number;
  readonly ordersPerDay: number;
}

export function monthlyReport(repository: Repository, now: Date): MonthlyReport {
  const start = startOfMonth(now);
  const orders = repository.allOrders().filter((order) => {
    // Month of the server's time zone, while `start` is in UTC.
    return order.placedAt.getMonth() === now.getMonth() && order.placedAt.getFullYear() === now.getFullYear();
  });
  const month = start.toISOString().slice(0, 7);
  const invoices = repository.allInvoices().filter((invoice) => invoice.issuedOn.startsWith(month));
  const days = daysBetween(start, now) + 1;

  return {
    month,
    orders: orders.length,
    revenue: orders.reduce((sum, order) => sum + order.total, 0),
    taxFromOrders: orders.reduce((sum, order) => sum + order.tax, 0),
    taxFromInvoices: invoices.reduce((sum, invoice) => sum + invoice.tax, 0),
    overdue: repository.allInvoices().filter((invoice) => isOverdue(invoice, now)).length,
    ordersPerDay: orders.length / days,
  };
}

/** The two sums of tax have never been equal; accounting uses the second and corrects the first by hand. */
export function printReport(report: MonthlyReport): string {
  return [
    `Month ${report.month}: ${report.orders} orders, ${report.ordersPerDay.toFixed(1)} a day`,
    `Revenue ${formatMoney(report.revenue)}`,
    `Tax from orders ${formatMoney(report.taxFromOrders)}, from invoices ${formatMoney(report.taxFromInvoices)}`,
    `Difference ${formatMoney(report.taxFromOrders - report.taxFromInvoices)}`,
    `Overdue invoices: ${report.overdue}`,
  ].join('\n');
}
