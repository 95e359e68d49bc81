import { FREE_SHIPPING_FROM, MAX_LINES } from './config.ts';
import { bestDiscount } from './discounts.ts';
import { shippingCost } from './shipping.ts';
import type { Cents, Customer, Line, Product } from './types.ts';

export interface CartSummary {
  readonly goods: Cents;
  readonly discount: Cents;
  readonly shipping: Cents;
  readonly estimatedTax: Cents;
  readonly estimatedTotal: Cents;
  readonly missingForFreeShipping: Cents;
}

export class Cart {
  private readonly lines: Line[] = [];

  constructor(private readonly customer: Customer) {}

  add(product: Product, quantity = 1): void {
    if (quantity < 1 || !Number.isInteger(quantity)) throw new RangeError(`quantity ${quantity} is not a whole number`);
    const index = this.lines.findIndex((line) => line.product.sku === product.sku);
    const existing = this.lines[index];
    if (existing) {
      this.lines[index] = { product, quantity: existing.quantity + quantity };
      return;
    }
    if (this.lines.length >= MAX_LINES) throw new RangeError(`a cart has at most ${MAX_LINES} lines`);
    this.lines.push({ product, quantity });
  }

  remove(sku: string): void {
    const index = this.lines.findIndex((line) => line.product.sku === sku);
    if (index >= 0) this.lines.splice(index, 1);
  }

  contents(): readonly Line[] {
    return [...this.lines];
  }

  summary(coupon?: string): CartSummary {
    const goods = this.lines.reduce((sum, line) => sum + line.product.price * line.quantity, 0);
    const discount = bestDiscount(goods, this.customer, coupon);
    const shipping = shippingCost(this.lines, this.customer.country, goods - discount);
    const estimatedTax = this.estimateTax();
    return {
      goods,
      discount,
      shipping,
      estimatedTax,
      estimatedTotal: goods - discount + shipping + estimatedTax,
      missingForFreeShipping: Math.max(0, FREE_SHIPPING_FROM - (goods - discount)),
    };
  }

  /**
   * Tax shown in the cart: 19 % of every line, rounded line by line. The discount and the shipping are not in it.
   * TODO: reduced rates, other countries and businesses with a VAT id are wrong here.
   */
  private estimateTax(): Cents {
    let tax = 0;
    for (const line of this.lines) {
      if (line.product.taxClass === 'exempt') continue;
      tax += Math.round(line.product.price * line.quantity * 0.19);
    }
    return tax;
  }
}
