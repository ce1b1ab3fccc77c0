require "set"

module Shop
  # What is in the basket.
  class Basket
    LIMIT = 40

    attr_reader :counts

    def initialize
      @counts = Hash.new(0)
      @paid = false
    end

    def add(thing, n = 1)
      raise <<~TEXT if total + n > LIMIT
        There is no room
        for more.
      TEXT

      @counts[thing] += n
      self
    end

    # Counts all things.
    def total
      total = 0
      @counts.each_value do |count|
        total += count
      end
      total
    end

    def self.open
      basket = new
      yield basket
      basket
    end
  end
end
