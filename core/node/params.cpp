// Checks parameter values against their declarations, and converts them to text and back.
#include "core/node/params.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/base/text.h"
#include "core/node/learnable.h"
#include "core/node/nearest.h"

namespace tl {
namespace {

std::string range_text(const ParamDecl& d) {
  const auto bound = [&](const std::optional<double>& b, const char* none) {
    return b ? format_quantity(*b, d.unit) : std::string(none);
  };
  return bound(d.low, "-inf") + " to " + bound(d.high, "inf");
}

// The unit and others of its quantity: "um, mm, nm, cm or m".
std::string units_like(Unit unit) {
  std::string text(symbol(unit));
  for (int i = 0; i <= static_cast<int>(Unit::ms); ++i) {
    const auto other = static_cast<Unit>(i);
    if (other != unit && dimension(other) == dimension(unit)) text += ", " + std::string(symbol(other));
  }
  if (const auto last = text.rfind(", "); last != std::string::npos) text.replace(last, 2, " or ");
  return text;
}
std::string unit_hint(const ParamDecl& d) {
  return d.unit == Unit::none ? "Give a plain number" : "Give it in " + units_like(d.unit);
}

Result<void> check_number(const ParamDecl& d, double value, Unit unit) {
  if (dimension(unit) != dimension(d.unit))
    return invalid("\"" + d.name + "\" has the unit " + std::string(symbol(unit)), d.name, unit_hint(d));
  const double v = convert(value, unit, d.unit);
  if (!std::isfinite(v))
    return invalid("\"" + d.name + "\" is not a finite number", d.name, "Allowed: " + range_text(d));
  // Unit conversion rounds: a value typed exactly at the end of the range must pass.
  const double slack = 1e-12 * std::abs(v);
  if ((d.low && v < *d.low - slack) || (d.high && v > *d.high + slack))
    return invalid("\"" + d.name + "\" is " + format_quantity(value, unit) + ", out of range", d.name,
                   "Allowed: " + range_text(d));
  return ok();
}

Error wrong_kind(const ParamDecl& d, const ParamValue& value) {
  return invalid("\"" + d.name + "\" cannot be " + to_text(value), d.name,
                 "Expected " + std::string(to_string(d.kind)) + (d.automatic.empty() ? "" : " or auto"));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Replaces a decimal comma, which users type whatever their locale: "0,5 px" becomes "0.5 px". "1,250", which could
// also be 1250, is refused.
Result<std::string> with_decimal_point(const ParamDecl& d, std::string_view text) {
  std::string point(trimmed(text));
  const auto comma = point.find(',');
  if (comma == std::string::npos || point.find_first_of(",.", comma + 1) != std::string::npos ||
      point.find('.') != std::string::npos)
    return point;
  const std::size_t first = point.front() == '+' || point.front() == '-' ? 1 : 0;
  std::size_t end = comma + 1;
  while (end < point.size() && is_digit(point[end])) ++end;
  const std::string whole = point.substr(first, comma - first), digits = point.substr(comma + 1, end - comma - 1);
  if (digits.empty() || !std::all_of(whole.begin(), whole.end(), is_digit)) return point;
  const bool thousands = digits.size() == 3 && !whole.empty() && whole.size() <= 3 && whole.front() != '0';
  if (thousands)
    return invalid("\"" + whole + "," + digits + "\" could be " + whole + "." + digits + " or " + whole + digits,
                   d.name, "Write " + whole + "." + digits + " or " + whole + digits);
  point[comma] = '.';
  return point;
}

// A number as the user wrote it; without a unit if none was written.
struct Written {
  double value = 0;
  std::optional<Unit> unit;
};

// "12.5 um".
Result<Written> parse_number(const ParamDecl& d, std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc())
    return invalid("\"" + std::string(text) + "\" is not a number", d.name,
                   "Write for example " + format_quantity(1.5, d.unit));
  const std::string_view rest =
      trimmed(std::string_view(end, static_cast<std::size_t>(text.data() + text.size() - end)));
  if (rest.empty()) return Written{value, {}};
  auto unit = parse_unit(rest);
  if (!unit.ok()) return invalid(unit.error().what, d.name, unit_hint(d));
  return Written{value, unit.value()};
}

// "1, 2, 3 px": one unit, after the last number. With semicolons between the numbers, commas are decimal: "0,5; 1,5".
Result<ParamValue> parse_numbers(const ParamDecl& d, std::string_view text) {
  NumberList list{{}, d.unit};
  std::string_view rest = trimmed(text);
  const char separator = rest.find(';') == std::string_view::npos ? ',' : ';';
  for (bool more = !rest.empty(); more;) {
    const auto comma = rest.find(separator);
    more = comma != std::string_view::npos;
    TL_TRY(const std::string one, with_decimal_point(d, rest.substr(0, comma)));
    TL_TRY(const Written number, parse_number(d, one));
    if (number.unit && more)
      return invalid("a list has one unit, after its last number", d.name,
                     "Write for example 1,2 " + std::string(symbol(*number.unit)));
    list.values.push_back(number.value);
    list.unit = number.unit.value_or(d.unit);
    if (more) rest.remove_prefix(comma + 1);
  }
  return ParamValue{std::move(list)};
}

// Whether the text is well-formed UTF-8 (RFC 3629) without NUL, as a pipeline file requires.
bool is_plain_text(std::string_view s) {
  for (std::size_t i = 0; i < s.size();) {
    const auto byte = [&](std::size_t k) { return i + k < s.size() ? static_cast<unsigned char>(s[i + k]) : 0u; };
    const unsigned lead = byte(0);
    if (lead == 0 || (lead >= 0x80 && lead < 0xC2) || lead > 0xF4) return false;
    const std::size_t more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    // The second byte of some leads is restricted: no overlong forms, no surrogates, nothing beyond U+10FFFF.
    const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    for (std::size_t k = 1; k <= more; ++k)
      if (byte(k) < (k == 1 ? low : 0x80u) || byte(k) > (k == 1 ? high : 0xBFu)) return false;
    i += more + 1;
  }
  return true;
}

}  // namespace

std::string_view to_string(ParamKind kind) {
  static constexpr std::array<std::string_view, 8> names = {"a flag", "an integer",  "a number",          "a choice",
                                                            "a text", "a file name", "a list of numbers", "an array"};
  return names.at(static_cast<std::size_t>(kind));
}

Result<void> ParamDecl::validate(const ParamValue& value) const {
  if (std::holds_alternative<std::monostate>(value)) {
    if (automatic.empty()) return wrong_kind(*this, value);
    return ok();
  }
  switch (kind) {
    case ParamKind::flag:
      if (std::holds_alternative<bool>(value)) return ok();
      break;
    case ParamKind::integer:
      if (const auto* v = std::get_if<int64_t>(&value)) {
        if ((low && static_cast<double>(*v) < *low) || (high && static_cast<double>(*v) > *high))
          return invalid("\"" + name + "\" is " + std::to_string(*v) + ", out of range", name,
                         "Allowed: " + range_text(*this));
        return ok();
      }
      break;
    case ParamKind::number:
      if (const auto* v = std::get_if<Number>(&value)) return check_number(*this, v->value, v->unit);
      break;
    case ParamKind::choice:
      if (const auto* v = std::get_if<std::string>(&value)) {
        std::vector<std::string> names;
        for (const Choice& c : choices) {
          if (c.name == *v) return ok();
          names.push_back(c.name);
        }
        return invalid("\"" + name + "\" cannot be \"" + *v + "\"", name, suggest(*v, names));
      }
      break;
    case ParamKind::text:
    case ParamKind::path:
      if (const auto* v = std::get_if<std::string>(&value)) {
        if (!is_plain_text(*v))
          return invalid("\"" + name + "\" is not UTF-8 text", name,
                         kind == ParamKind::path ? "Rename the file" : "Type it again");
        return ok();
      }
      break;
    case ParamKind::numbers:
      if (const auto* v = std::get_if<NumberList>(&value)) {
        for (const double x : v->values) TL_TRY(check_number(*this, x, v->unit));
        return ok();
      }
      break;
    case ParamKind::array:
      if (const auto* v = std::get_if<NumberArray>(&value)) {
        for (const float x : v->values()) TL_TRY(check_number(*this, x, v->unit()));
        return ok();
      }
      break;
  }
  return wrong_kind(*this, value);
}

Result<ParamValue> parse_value(const ParamDecl& d, const std::string& text) {
  if (!d.automatic.empty() && text == "auto") return ParamValue{};
  switch (d.kind) {
    case ParamKind::flag:
      if (text == "true" || text == "yes" || text == "1") return ParamValue{true};
      if (text == "false" || text == "no" || text == "0") return ParamValue{false};
      return invalid("\"" + text + "\" is not true or false", d.name, "Write true or false");
    case ParamKind::integer: {
      int64_t value = 0;
      const std::string_view t = trimmed(text);
      const auto [end, problem] = std::from_chars(t.data(), t.data() + t.size(), value);
      if (problem != std::errc() || end != t.data() + t.size())
        return invalid("\"" + text + "\" is not an integer", d.name, "Allowed: " + range_text(d));
      return ParamValue{value};
    }
    case ParamKind::number: {
      TL_TRY(const std::string one, with_decimal_point(d, text));
      TL_TRY(const Written n, parse_number(d, one));
      return ParamValue{Number{n.value, n.unit.value_or(d.unit)}};
    }
    case ParamKind::choice:
    case ParamKind::text:
    case ParamKind::path: return ParamValue{text};
    case ParamKind::array:
      return invalid("\"" + d.name + "\" is an array: it cannot be written here", d.name,
                     d.automatic.empty() ? "Learn it, or give it in the pipeline's file"
                                         : "Write auto, learn it, or give it in the pipeline's file");
    case ParamKind::numbers: break;
  }
  return parse_numbers(d, text);
}

std::string to_text(const ParamValue& value) {
  struct Visitor {
    std::string operator()(std::monostate) const { return "auto"; }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(int64_t v) const { return std::to_string(v); }
    std::string operator()(const Number& v) const { return format_quantity(v.value, v.unit); }
    std::string operator()(const std::string& v) const { return v; }
    std::string operator()(const NumberList& v) const {
      std::string text;
      for (const double x : v.values) text += (text.empty() ? "" : ",") + format_quantity(x, Unit::none);
      return v.unit == Unit::none || v.values.empty() ? text : text + " " + std::string(symbol(v.unit));
    }
    std::string operator()(const NumberArray& v) const {
      return "array " + shape_text(v.shape()) + (v.unit() == Unit::none ? "" : " " + std::string(symbol(v.unit()))) +
             " " + v.digest();
    }
  };
  return std::visit(Visitor{}, value);
}

ParamValue to_stored(const ParamValue& value) {
  if (const auto* n = std::get_if<Number>(&value))
    return Number{tl::to_stored(n->value, n->unit), stored_unit(dimension(n->unit))};
  if (const auto* l = std::get_if<NumberList>(&value)) {
    NumberList out{l->values, stored_unit(dimension(l->unit))};
    for (double& v : out.values) v = tl::to_stored(v, l->unit);
    return out;
  }
  if (const auto* a = std::get_if<NumberArray>(&value)) return a->converted(Unit::none);
  return value;
}

ParamValue in_unit(const ParamValue& value, Unit unit) {
  if (const auto* n = std::get_if<Number>(&value))
    return Number{n->unit == Unit::none ? from_stored(n->value, unit) : convert(n->value, n->unit, unit), unit};
  if (const auto* l = std::get_if<NumberList>(&value)) {
    NumberList out{l->values, unit};
    for (double& v : out.values) v = from_stored(v, unit);
    return out;
  }
  if (const auto* a = std::get_if<NumberArray>(&value)) return a->converted(unit);
  return value;
}

at::Tensor tensor_of(const Learnable<double>& p) {
  return p.tensor.defined() ? p.tensor : at::scalar_tensor(p.value, at::kDouble);
}
at::Tensor tensor_of(const Learnable<std::vector<double>>& p) {
  return p.tensor.defined() ? p.tensor : at::tensor(p.value, at::kDouble);
}
at::Tensor tensor_of(const Learnable<std::optional<NumberArray>>& p, const at::Tensor& of_auto) {
  return p.tensor.defined() ? p.tensor : p.value ? tensor_of(*p.value) : of_auto;
}
at::Tensor tensor_of(const NumberArray& array) {
  return at::tensor(at::ArrayRef<float>(array.values()), at::kDouble).view(array.shape());
}

}  // namespace tl
