#include <map>
#include <string>

namespace shop {

// What is in the basket.
template <typename Thing>
class Basket {
public:
    explicit Basket(int limit) : limit_(limit) {
        counts_.clear();
        paid_ = false;
    }

    int total() const;

    void add(const Thing &thing, int n) {
        if (total() + n > limit_) {
            throw full(thing);
        }
        counts_[thing] += n;
    }

private:
    std::map<Thing, int> counts_;
    int limit_;
    bool paid_;
};

template <typename Thing>
int Basket<Thing>::total() const {
    int total = 0;
    for (const auto &[thing, count] : counts_) {
        total += count;
    }
    return total;
}

}  // namespace shop
