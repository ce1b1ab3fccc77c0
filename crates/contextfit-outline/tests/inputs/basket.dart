import 'dart:collection';

/// A shopping basket, without a grammar for its language.
class Basket {
  final List<Item> _items = [];
  final Currency currency;

  Basket(this.currency);

  /// Adds an item, or more of it.
  ///
  /// Throws if the count is not positive.
  void add(Item item, {int count = 1}) {
    if (count < 1) {
      throw ArgumentError('count must be positive');
    }
    for (var n = 0; n < count; n++) {
      _items.add(item);
    }
  }

  /// The total price, with the discount for ten items.
  Money get total {
    var sum = Money.zero(currency);
    for (final item in _items) {
      sum += item.price;
    }
    return _items.length >= 10 ? sum * 0.9 : sum;
  }

  @override
  String toString() {
    return 'Basket of ${_items.length}';
  }
}

enum Currency { euro, crown }
