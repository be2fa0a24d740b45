// Condition: an expression over the parameters of a space, read as data: nothing of it is ever run as a program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/tune/space.h"

namespace tl::tune {

// Python's arithmetic (+ - * / // % **), comparisons (also chained), and, or, not (&&, ||, !), brackets, numbers, texts
// in quotes, True, False and names of parameters.
class Condition {
 public:
  // Invalid, with `where` and the column: another character, an unknown name, a call of a function, an attribute or an
  // index, nesting deeper than 64 levels, more than 4096 characters.
  static Result<Condition> parse(std::string_view text, const std::vector<Parameter>& parameters,
                                 const std::string& where);
  // For an index of each parameter's values. What cannot be computed (a division by zero, a text times a number) does
  // not hold.
  [[nodiscard]] bool holds(const std::vector<int64_t>& indices) const;

  enum class Operator {
    number,
    text,
    parameter,
    add,
    subtract,
    multiply,
    divide,
    floor_divide,
    modulo,
    power,
    negate,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    both,
    either,
    inverse
  };
  struct Node {
    Operator op = Operator::number;
    double number = 0;
    std::string text;
    std::size_t parameter = 0, left = 0, right = 0;  // indices of parameters and nodes
  };

 private:
  friend class ConditionParser;
  struct Operand {
    bool is_text = false;
    double number = 0;  // NaN: cannot be computed
    std::string text;
  };
  [[nodiscard]] Operand value_of(std::size_t node, const std::vector<int64_t>& indices) const;

  std::vector<Node> nodes_;
  std::size_t root_ = 0;
  std::vector<std::vector<Operand>> values_;  // of each parameter
};

}  // namespace tl::tune
