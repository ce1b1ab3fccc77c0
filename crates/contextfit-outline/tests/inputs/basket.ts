import { readFile } from "node:fs/promises";

/** The most that fits in. */
export const LIMIT = 40;

export interface Thing {
  name: string;
  price: number;
}

export type Names = string[];

/** What is in the basket. */
export class Basket {
  private counts = new Map<string, number>();

  constructor(private readonly owner: string) {
    this.counts.clear();
    console.log(owner);
  }

  @logged()
  add(thing: Thing, n = 1): void {
    const before = this.counts.get(thing.name) ?? 0;
    this.counts.set(thing.name, before + n);
  }

  total(): number {
    let total = 0;
    for (const count of this.counts.values()) {
      total += count;
    }
    return total;
  }
}

export const load = async (path: string): Promise<Names> => {
  const text = await readFile(path, "utf8");
  const lines = text.split("\n");
  return lines;
};

function logged() {
  return (target: unknown) => {
    console.log(target);
  };
}
