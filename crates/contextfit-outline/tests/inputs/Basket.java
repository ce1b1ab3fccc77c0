package shop;

import java.util.HashMap;
import java.util.Map;

/** What is in the basket. */
public final class Basket {
  private static final int LIMIT = 40;

  private final Map<String, Integer> counts = new HashMap<>();

  /** An empty basket. */
  public Basket() {
    counts.clear();
    System.out.println("new");
  }

  /**
   * Puts more of a thing in.
   */
  @Override
  public void add(String thing, int n) {
    if (total() + n > LIMIT) {
      throw new IllegalStateException(thing);
    }
    counts.merge(thing, n, Integer::sum);
  }

  public int total() {
    int total = 0;
    for (int count : counts.values()) {
      total += count;
    }
    return total;
  }

  enum State {
    OPEN,
    PAID;

    boolean over() {
      switch (this) {
        case OPEN: // still going
          return false;
        default:
          return true;
      }
    }
  }
}
