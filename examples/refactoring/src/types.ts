/** Amounts are in cents, always; dates are JavaScript dates in UTC unless a function says otherwise. */
export type Cents = number;

export type Country = 'DE' | 'SE' | 'DK' | 'NL';

export type TaxClass = 'standard' | 'reduced' | 'exempt';

export interface Product {
  readonly sku: string;
  readonly name: string;
  readonly price: Cents;
  readonly taxClass: TaxClass;
  readonly weightGrams: number;
}

export interface Line {
  readonly product: Product;
  readonly quantity: number;
}

export interface Customer {
  readonly id: string;
  readonly email: string;
  readonly country: Country;
  /** Businesses have one; with it, sales to another country are not taxed here. */
  readonly vatId?: string;
  readonly loyaltyPoints: number;
}

export type OrderState = 'draft' | 'placed' | 'paid' | 'shipped' | 'cancelled' | 'refunded';

export interface Order {
  readonly id: string;
  readonly customer: Customer;
  readonly lines: readonly Line[];
  readonly discount: Cents;
  readonly shipping: Cents;
  readonly tax: Cents;
  readonly total: Cents;
  readonly placedAt: Date;
  readonly deliverBy: Date;
  state: OrderState;
}

export interface Invoice {
  readonly number: string;
  readonly orderId: string;
  readonly issuedOn: string;
  readonly dueOn: string;
  readonly net: Cents;
  readonly tax: Cents;
  readonly gross: Cents;
}

export interface Refund {
  readonly orderId: string;
  readonly amount: Cents;
  readonly taxPart: Cents;
  readonly createdOn: string;
}
