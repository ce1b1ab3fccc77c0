const fs = require("fs");

module.exports.load = function load(path) {
  const text = fs.readFileSync(path, "utf8");
  return text.split("\n");
};

var Basket = function (owner) {
  this.owner = owner;
  this.counts = {};
};

Basket.prototype.total = function () {
  var total = 0;
  for (var name in this.counts) {
    total += this.counts[name];
  }
  return total;
};

class Till {
  #open = false;

  async pay(basket) {
    await this.wait();
    this.#open = true;
    return basket.total();
  }
}
