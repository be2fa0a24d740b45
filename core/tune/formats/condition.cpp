// Parses conditions by recursive descent, one function per level of precedence, and evaluates the tree.
#include "core/tune/formats/condition.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

namespace tl::tune {
namespace {

using Operator = Condition::Operator;
constexpr int max_depth = 64;
constexpr std::size_t max_length = 4096;

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

double compared(Operator op, double sign) {
  switch (op) {
    case Operator::less: return sign < 0 ? 1 : 0;
    case Operator::less_equal: return sign <= 0 ? 1 : 0;
    case Operator::greater: return sign > 0 ? 1 : 0;
    case Operator::greater_equal: return sign >= 0 ? 1 : 0;
    case Operator::equal: return sign == 0 ? 1 : 0;
    default: return sign != 0 ? 1 : 0;
  }
}

double computed(Operator op, double a, double b) {
  switch (op) {
    case Operator::add: return a + b;
    case Operator::subtract: return a - b;
    case Operator::multiply: return a * b;
    case Operator::divide: return b == 0 ? std::nan("") : a / b;
    case Operator::floor_divide: return b == 0 ? std::nan("") : std::floor(a / b);
    case Operator::modulo: return b == 0 ? std::nan("") : a - b * std::floor(a / b);  // the sign of b, as in Python
    case Operator::power: return std::pow(a, b);
    default: return compared(op, a < b ? -1 : a > b ? 1 : 0);
  }
}

}  // namespace

class ConditionParser {
 public:
  ConditionParser(std::string_view text, const std::vector<Parameter>& parameters, Condition& condition)
      : text_(text), parameters_(parameters), condition_(condition) {}

  // Throws Failure.
  std::size_t parse() {
    const std::size_t root = either();
    skip();
    if (at_ < text_.size()) refuse("there is something after the end of the condition");
    return root;
  }
  [[nodiscard]] std::size_t column() const { return at_ + 1; }

 private:
  using Node = Condition::Node;

  [[noreturn]] void refuse(const std::string& what) const { throw Failure(invalid(what)); }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(std::string_view sign) {
    skip();
    if (text_.substr(at_, sign.size()) != sign) return false;
    const bool is_word = is_name_character(sign.front());
    if (is_word && at_ + sign.size() < text_.size() && is_name_character(text_[at_ + sign.size()])) return false;
    at_ += sign.size();
    return true;
  }
  std::size_t add(Node node) {
    condition_.nodes_.push_back(std::move(node));
    return condition_.nodes_.size() - 1;
  }
  std::size_t join(Operator op, std::size_t left, std::size_t right = 0) { return add({op, 0, {}, 0, left, right}); }

  std::size_t either() {
    if (++depth_ > max_depth) refuse("the condition is nested deeper than " + std::to_string(max_depth) + " levels");
    std::size_t left = both();
    while (take("or") || take("||")) left = join(Operator::either, left, both());
    --depth_;
    return left;
  }
  std::size_t both() {
    std::size_t left = inverse();
    while (take("and") || take("&&")) left = join(Operator::both, left, inverse());
    return left;
  }
  std::size_t inverse() {
    skip();
    const bool is_not_equal = text_.substr(at_, 2) == "!=";
    if (!take("not") && (is_not_equal || !take("!"))) return comparison();
    if (++depth_ > max_depth) refuse("the condition is nested deeper than " + std::to_string(max_depth) + " levels");
    const std::size_t node = join(Operator::inverse, inverse());
    --depth_;
    return node;
  }
  std::optional<Operator> comparison_sign() {
    static constexpr std::array<std::pair<std::string_view, Operator>, 6> signs = {{{"<=", Operator::less_equal},
                                                                                    {">=", Operator::greater_equal},
                                                                                    {"==", Operator::equal},
                                                                                    {"!=", Operator::not_equal},
                                                                                    {"<", Operator::less},
                                                                                    {">", Operator::greater}}};
    for (const auto& [sign, op] : signs)
      if (take(sign)) return op;
    return std::nullopt;
  }
  // a < b < c means a < b and b < c.
  std::size_t comparison() {
    std::size_t left = sum(), all = left;
    bool first = true;
    while (const auto op = comparison_sign()) {
      const std::size_t right = sum(), one = join(*op, left, right);
      all = first ? one : join(Operator::both, all, one);
      first = false;
      left = right;
    }
    return all;
  }
  std::size_t sum() {
    std::size_t left = product();
    for (;;) {
      if (take("+")) {
        left = join(Operator::add, left, product());
      } else if (take("-")) {
        left = join(Operator::subtract, left, product());
      } else {
        return left;
      }
    }
  }
  std::size_t product() {
    std::size_t left = sign();
    for (;;) {
      skip();
      if (text_.substr(at_, 2) == "**") return left;
      if (take("//")) {
        left = join(Operator::floor_divide, left, sign());
      } else if (take("/")) {
        left = join(Operator::divide, left, sign());
      } else if (take("*")) {
        left = join(Operator::multiply, left, sign());
      } else if (take("%")) {
        left = join(Operator::modulo, left, sign());
      } else {
        return left;
      }
    }
  }
  std::size_t sign() {
    if (++depth_ > max_depth) refuse("the condition is nested deeper than " + std::to_string(max_depth) + " levels");
    std::size_t node = 0;
    if (take("-")) {
      node = join(Operator::negate, sign());
    } else if (take("+")) {
      node = sign();
    } else {
      node = operand();
      if (take("**")) node = join(Operator::power, node, sign());
    }
    --depth_;
    return node;
  }
  std::size_t operand() {
    skip();
    if (take("(")) {
      const std::size_t inside = either();
      if (!take(")")) refuse("a bracket is not closed");
      return inside;
    }
    if (at_ == text_.size()) refuse("the condition ends too early");
    const char c = text_[at_];
    if (c == '"' || c == '\'') return quoted(c);
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number();
    if (is_name_character(c)) return name();
    refuse("the character '" + std::string(1, c) + "' has no meaning in a condition");
  }
  std::size_t quoted(char quote) {
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) refuse("a text in quotes is not closed");
    const std::string inside(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return add({Operator::text, 0, inside, 0, 0, 0});
  }
  std::size_t number() {
    double value = 0;
    const auto [end, failed] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (failed != std::errc() || !std::isfinite(value)) refuse("not a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return add({Operator::number, value, {}, 0, 0, 0});
  }
  std::size_t name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    const std::string word(text_.substr(begin, at_ - begin));
    skip();
    if (at_ < text_.size() && (text_[at_] == '(' || text_[at_] == '.' || text_[at_] == '['))
      refuse("calls, attributes and indices are not allowed in a condition (" + word + ")");
    if (word == "True" || word == "False") return add({Operator::number, word == "True" ? 1.0 : 0.0, {}, 0, 0, 0});
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      if (parameters_[i].name == word) return add({Operator::parameter, 0, {}, i, 0, 0});
    at_ = begin;
    refuse("no parameter is named " + word);
  }

  std::string_view text_;
  const std::vector<Parameter>& parameters_;
  Condition& condition_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Result<Condition> Condition::parse(std::string_view text, const std::vector<Parameter>& parameters,
                                   const std::string& where) {
  if (text.size() > max_length)
    return invalid("the condition has more than " + std::to_string(max_length) + " characters", where, "Shorten it");
  Condition condition;
  ConditionParser parser(text, parameters, condition);
  try {
    condition.root_ = parser.parse();
  } catch (const Failure& failure) {
    return invalid(failure.error().what, where + ", column " + std::to_string(parser.column()),
                   "Conditions are arithmetic and comparisons of parameters");
  }
  for (const Parameter& p : parameters) {
    std::vector<Operand>& operands = condition.values_.emplace_back();
    for (const ParameterValue& value : p.values) {
      if (const auto* word = std::get_if<std::string>(&value)) {
        operands.push_back({true, 0, *word});
      } else if (const auto* flag = std::get_if<bool>(&value)) {
        operands.push_back({false, *flag ? 1.0 : 0.0, {}});
      } else if (const auto* integer = std::get_if<int64_t>(&value)) {
        operands.push_back({false, static_cast<double>(*integer), {}});
      } else {
        operands.push_back({false, std::get<double>(value), {}});
      }
    }
  }
  return condition;
}

Condition::Operand Condition::value_of(std::size_t node, const std::vector<int64_t>& indices) const {
  const Node& n = nodes_[node];
  const auto number = [](double value) { return Operand{false, value, {}}; };
  const auto truth = [](const Operand& o) {
    return o.is_text ? !o.text.empty() : o.number != 0 && !std::isnan(o.number);
  };
  switch (n.op) {
    case Operator::number: return number(n.number);
    case Operator::text: return {true, 0, n.text};
    case Operator::parameter: return values_[n.parameter][static_cast<std::size_t>(indices[n.parameter])];
    case Operator::inverse: return number(truth(value_of(n.left, indices)) ? 0 : 1);
    case Operator::both: return number(truth(value_of(n.left, indices)) && truth(value_of(n.right, indices)) ? 1 : 0);
    case Operator::either: return number(truth(value_of(n.left, indices)) || truth(value_of(n.right, indices)) ? 1 : 0);
    default: break;
  }
  const Operand left = value_of(n.left, indices);
  if (n.op == Operator::negate) return number(left.is_text ? std::nan("") : -left.number);
  const Operand right = value_of(n.right, indices);
  const bool compares = n.op >= Operator::less && n.op <= Operator::not_equal;
  if (left.is_text && right.is_text && compares) return number(compared(n.op, left.text.compare(right.text)));
  if (left.is_text != right.is_text && n.op == Operator::not_equal) return number(1);
  if (left.is_text || right.is_text) return number(std::nan(""));
  if (std::isnan(left.number) || std::isnan(right.number)) return number(std::nan(""));
  return number(computed(n.op, left.number, right.number));
}

bool Condition::holds(const std::vector<int64_t>& indices) const {
  const Operand value = value_of(root_, indices);
  return value.is_text ? !value.text.empty() : value.number != 0 && !std::isnan(value.number);
}

}  // namespace tl::tune
