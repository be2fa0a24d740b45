// Converts parameters between this program and others.
#include "core/graph/foreign/parameter_map.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/text.h"

namespace tl::foreign {
namespace {

// A choice has no counterpart if the other program has no name for it.
bool is_choice(const ParamDecl& decl, const std::string& text) {
  return std::any_of(decl.choices.begin(), decl.choices.end(), [&](const Choice& c) { return c.name == text; });
}

Error no_counterpart(const std::string& reason, const ParamDecl& decl) { return invalid(reason, decl.name); }

Result<ParamValue> converted(const ParameterMap& map, const ParamDecl& decl, const std::string& theirs) {
  const auto number = number_of(theirs);
  switch (decl.kind) {
    case ParamKind::number:
      if (!number) return no_counterpart("this is not a number", decl);
      return ParamValue{Number{*number, map.unit == Unit::none ? decl.unit : map.unit}};
    case ParamKind::integer:
      if (!number || *number != std::floor(*number) || std::abs(*number) > 1e15)
        return no_counterpart("this is not an integer", decl);
      return ParamValue{static_cast<int64_t>(*number)};
    case ParamKind::flag:
      if (is_same(theirs, "true")) return ParamValue{true};
      if (is_same(theirs, "false")) return ParamValue{false};
      return no_counterpart("this is neither true nor false", decl);
    case ParamKind::choice:
      if (!map.words.empty() || !is_choice(decl, theirs)) return no_counterpart("there is no such choice here", decl);
      return ParamValue{theirs};
    case ParamKind::text:
    case ParamKind::path: return ParamValue{theirs};
    default: return no_counterpart("lists are not converted", decl);
  }
}

}  // namespace

std::optional<double> number_of(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string number_text(double value) {
  char text[40];
  const auto [end, problem] = std::to_chars(text, text + sizeof text, value);
  return problem == std::errc() ? std::string(text, end) : "0";
}

bool is_same(std::string_view a, std::string_view b) {
  if (lower_case(a) == lower_case(b)) return true;
  const auto x = number_of(a), y = number_of(b);
  return x && y && *x == *y;
}

const ParamValue& value_of(const GraphNode& node, const ParamDecl& decl) {
  const auto set = node.params.find(decl.name);
  return set == node.params.end() ? decl.initial : set->second;
}

Result<ParamValue> our_value(const ParameterMap& map, const ParamDecl& decl, const std::string& theirs) {
  ParamValue value;
  const auto word =
      std::find_if(map.words.begin(), map.words.end(), [&](const WordPair& w) { return is_same(w.theirs, theirs); });
  if (word != map.words.end()) {
    TL_TRY(value, parse_value(decl, std::string(word->ours)));
  } else if (theirs == none_text) {
    if (decl.automatic.empty()) return no_counterpart("no value is given, but one is needed here", decl);
  } else {
    TL_TRY(value, converted(map, decl, theirs));
  }
  TL_TRY(decl.validate(value));
  return value;
}

std::optional<std::string> foreign_value(const ParameterMap& map, const ParamDecl& decl, const ParamValue& ours) {
  const std::string text = to_text(ours);
  for (const WordPair& w : map.words)
    if (w.ours == text) return std::string(w.theirs);
  if (std::holds_alternative<std::monostate>(ours))
    return map.missing == none_text ? std::optional<std::string>(none_text) : std::nullopt;
  if (const auto* n = std::get_if<Number>(&ours)) {
    const Unit from = n->unit == Unit::none ? decl.unit : n->unit, to = map.unit == Unit::none ? decl.unit : map.unit;
    if (dimension(from) != dimension(to)) return std::nullopt;
    return number_text(convert(n->value, from, to));
  }
  if (decl.kind == ParamKind::choice && !map.words.empty()) return std::nullopt;
  if (decl.kind == ParamKind::numbers || decl.kind == ParamKind::array) return std::nullopt;
  return text;
}

}  // namespace tl::foreign
