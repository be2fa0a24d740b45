// T1 inputs, version 1: parameters, their values and conditions, without measurements. The values stand there as texts
// of Python; lists of literals and ranges are read as data, anything else is refused.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/text.h"
#include "core/tune/formats/condition.h"
#include "core/tune/formats/format.h"

namespace tl::tune {
namespace {

Error not_a_list(const JsonText& text, const std::string& here) {
  return text.bad("not a list of values", here, "Give [1, 2, 4] or range(1, 9); nothing else is computed");
}

// "range(1, 9, 2)" and "list(range(1, 9))": the numbers between the innermost brackets.
std::optional<std::string_view> inside_range(std::string_view list) {
  const auto unwrap = [&](std::string_view name) {
    if (!list.starts_with(name) || !list.ends_with(')')) return false;
    list = trimmed(list.substr(name.size(), list.size() - name.size() - 1));
    return true;
  };
  unwrap("list(");
  return unwrap("range(") ? std::optional(list) : std::nullopt;
}

Result<std::vector<ParameterValue>> range_values(const JsonText& text, std::string_view inside,
                                                 const std::string& here) {
  std::vector<int64_t> numbers;
  for (std::size_t count = 1; count <= 3 && numbers.empty(); ++count)
    if (const auto found = integers_of(inside, count)) numbers = *found;
  if (numbers.empty()) return not_a_list(text, here);
  const int64_t from = numbers.size() == 1 ? 0 : numbers[0], to = numbers.size() == 1 ? numbers[0] : numbers[1];
  const int64_t step = numbers.size() == 3 ? numbers[2] : 1;
  constexpr int64_t far = int64_t{1} << 53;
  if (step == 0 || std::abs(from) > far || std::abs(to) > far || std::abs(step) > far) return not_a_list(text, here);
  if ((to - from) / step > most_configurations)
    return text.bad("more values than a space may have configurations", here, "Leave some out");
  std::vector<ParameterValue> values;
  for (int64_t v = from; step > 0 ? v < to : v > to; v += step) values.emplace_back(v);
  return values;
}

// One literal of Python; nothing if it is none.
std::optional<ParameterValue> literal(std::string_view word) {
  if (word == "True" || word == "true") return ParameterValue(true);
  if (word == "False" || word == "false") return ParameterValue(false);
  if (word.size() >= 2 && (word.front() == '"' || word.front() == '\'') && word.back() == word.front() &&
      word.find(word.front(), 1) == word.size() - 1)
    return ParameterValue(std::string(word.substr(1, word.size() - 2)));
  int64_t integer = 0;
  double real = 0;
  const char* const end = word.data() + word.size();
  if (const auto r = std::from_chars(word.data(), end, integer); r.ec == std::errc() && r.ptr == end)
    return ParameterValue(integer);
  if (const auto r = std::from_chars(word.data(), end, real);
      r.ec == std::errc() && r.ptr == end && std::isfinite(real))
    return ParameterValue(real);
  return std::nullopt;
}

Result<std::vector<ParameterValue>> read_values(const JsonText& text, const Json& list, const std::string& here) {
  std::vector<ParameterValue> values;
  if (list.is_array()) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      TL_TRY(ParameterValue value, value_at(text, list[i], json::child(here, i)));
      values.push_back(std::move(value));
    }
    return values;
  }
  if (!list.is_string()) return not_a_list(text, here);
  const auto& written = list.get_ref<const std::string&>();
  std::string_view rest = trimmed(written);
  if (const auto inside = inside_range(rest)) return range_values(text, *inside, here);
  if (rest.size() < 2 || rest.front() != '[' || rest.back() != ']') return not_a_list(text, here);
  rest = rest.substr(1, rest.size() - 2);
  while (!trimmed(rest).empty()) {
    // A comma inside quotes belongs to the text.
    std::size_t end = 0;
    for (char quote = 0; end < rest.size() && (quote != 0 || rest[end] != ','); ++end) {
      if (quote == 0 && (rest[end] == '"' || rest[end] == '\'')) {
        quote = rest[end];
      } else if (rest[end] == quote) {
        quote = 0;
      }
    }
    const auto value = literal(trimmed(rest.substr(0, end)));
    if (!value) return not_a_list(text, here);
    values.push_back(*value);
    rest = end < rest.size() ? rest.substr(end + 1) : std::string_view();
  }
  return values;
}

Result<Parameter> read_parameter(const JsonText& text, const Json& entry, const std::string& here) {
  Parameter p;
  TL_TRY(p.name, text_member(text, entry, here, "Name"));
  TL_TRY(text_member(text, entry, here, "Type"));
  TL_TRY(const Json* const list, member(text, entry, here, "Values"));
  TL_TRY(p.values, read_values(text, *list, json::child(here, "Values")));
  std::vector<std::string> seen;
  for (const ParameterValue& value : p.values) seen.push_back(value_key(value));
  std::sort(seen.begin(), seen.end());
  if (const auto twice = std::adjacent_find(seen.begin(), seen.end()); twice != seen.end())
    return text.bad("a value occurs twice", json::child(here, "Values"), "Remove one");
  return p;
}

Result<void> read_conditions(const JsonText& text, const Json& list, const std::string& at, Space& space) {
  if (!list.is_array()) return text.bad("not a list", at, "Give a list of conditions");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string here = json::child(at, i);
    TL_TRY(const std::string expression, text_member(text, list[i], here, "Expression"));
    TL_TRY(Condition::parse(expression, space.parameters, text.where(json::child(here, "Expression"))));
    space.conditions.push_back(expression);
  }
  return ok();
}

Result<Space> read(const JsonText& text) {
  Space space;
  const Json& root = text.root();
  if (const auto general = root.find("General"); general != root.end() && general->is_object())
    if (const auto version = general->find("FormatVersion"); version != general->end() && *version != 1)
      return text.bad("T1 inputs of version " + version->dump() + " are not known", "/General/FormatVersion",
                      "There is version 1");
  TL_TRY(const Json* const kernel, member(text, root, "", "KernelSpecification"));
  TL_TRY(space.kernel, text_member(text, *kernel, "/KernelSpecification", "KernelName"));
  TL_TRY(const Json* const configurations, member(text, root, "", "ConfigurationSpace"));
  TL_TRY(const Json* const list, member(text, *configurations, "/ConfigurationSpace", "TuningParameters"));
  const std::string at = "/ConfigurationSpace/TuningParameters";
  if (!list->is_array()) return text.bad("not a list", at, "Give a list of parameters");
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string here = json::child(at, i);
    TL_TRY(Parameter p, read_parameter(text, (*list)[i], here));
    if (std::any_of(space.parameters.begin(), space.parameters.end(), [&](const auto& o) { return o.name == p.name; }))
      return text.bad("the parameter " + p.name + " occurs twice", here, "Remove one");
    space.parameters.push_back(std::move(p));
  }
  TL_TRY(check_size(space.parameters, text.where(at)));
  if (const auto conditions = configurations->find("Conditions"); conditions != configurations->end())
    TL_TRY(read_conditions(text, *conditions, "/ConfigurationSpace/Conditions", space));
  return space;
}

}  // namespace

SpaceFormat space_format_t1() {
  return {"t1", "T1 input", [](const Json& root) { return root.contains("ConfigurationSpace"); }, read, nullptr};
}

}  // namespace tl::tune
