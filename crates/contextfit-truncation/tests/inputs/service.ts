// Orders: placing, paying and shipping them.
import { Store } from "./store";
import { Mailer } from "./mailer";

export interface Order {
  id: string;
  lines: OrderLine[];
  paid: boolean;
}

type OrderLine = { product: string; amount: number; price: number };

export class OrderService {
  constructor(
    private readonly store: Store,
    private readonly mailer: Mailer,
  ) {}

  public async place(
    id: string,
    options: { notify: boolean } = { notify: true },
  ): Promise<Order> {
    const order = await this.store.load(id);
    if (order === undefined) {
      throw new Error(`no order ${id} to be placed`);
    }
    const changed = { ...order, placed: true, at: this.store.now() };
    await this.store.save(changed);
    if (options.notify) {
      await this.mailer.send(order.id, "placed");
    }
    return changed;
  }

  public async pay(
    id: string,
    options: { notify: boolean } = { notify: true },
  ): Promise<Order> {
    const order = await this.store.load(id);
    if (order === undefined) {
      throw new Error(`no order ${id} to be paid`);
    }
    const changed = { ...order, paid: true, at: this.store.now() };
    await this.store.save(changed);
    if (options.notify) {
      await this.mailer.send(order.id, "paid");
    }
    return changed;
  }

  public async ship(
    id: string,
    options: { notify: boolean } = { notify: true },
  ): Promise<Order> {
    const order = await this.store.load(id);
    if (order === undefined) {
      throw new Error(`no order ${id} to be shipped`);
    }
    const changed = { ...order, shipped: true, at: this.store.now() };
    await this.store.save(changed);
    if (options.notify) {
      await this.mailer.send(order.id, "shipped");
    }
    return changed;
  }

  public async cancel(
    id: string,
    options: { notify: boolean } = { notify: true },
  ): Promise<Order> {
    const order = await this.store.load(id);
    if (order === undefined) {
      throw new Error(`no order ${id} to be cancelled`);
    }
    const changed = { ...order, cancelled: true, at: this.store.now() };
    await this.store.save(changed);
    if (options.notify) {
      await this.mailer.send(order.id, "cancelled");
    }
    return changed;
  }

  public async refund(
    id: string,
    options: { notify: boolean } = { notify: true },
  ): Promise<Order> {
    const order = await this.store.load(id);
    if (order === undefined) {
      throw new Error(`no order ${id} to be refunded`);
    }
    const changed = { ...order, refunded: true, at: this.store.now() };
    await this.store.save(changed);
    if (options.notify) {
      await this.mailer.send(order.id, "refunded");
    }
    return changed;
  }

}

export function total(order: Order): number {
  return order.lines.reduce((sum, line) => sum + line.amount * line.price, 0);
}
