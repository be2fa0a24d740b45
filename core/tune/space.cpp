// Values of parameters as text; configurations and their numbers.
#include "core/tune/space.h"

#include <charconv>

namespace tl::tune {
namespace {

std::string number_text(double value) {
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  std::string out(text, end);
  // A floating-point number stays one when it is read again.
  if (out.find_first_of(".en") == std::string::npos) out += ".0";
  return out;
}

// The number of a value that is one; 16 and 16.0 are the same configuration.
std::optional<double> number_of(const ParameterValue& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

}  // namespace

std::string value_text(const ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
  if (const auto* integer = std::get_if<int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return number_text(*real);
  return std::get<std::string>(value);
}

std::string value_key(const ParameterValue& value) {
  const std::optional<double> number = number_of(value);
  return number ? number_text(*number) : (std::holds_alternative<bool>(value) ? "bool " : "text ") + value_text(value);
}

std::optional<int64_t> Parameter::index_of(const ParameterValue& value) const {
  const std::optional<double> number = number_of(value);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] == value || (number && number_of(values[i]) == number)) return static_cast<int64_t>(i);
  return std::nullopt;
}

std::optional<double> Measurement::other(const std::string& name) const {
  for (const auto& [key, value] : others)
    if (key == name) return value;
  return std::nullopt;
}

int64_t Space::cells() const {
  int64_t count = 1;
  for (const Parameter& p : parameters) count *= static_cast<int64_t>(p.values.size());
  return count;
}

int64_t Space::cell_of(const std::vector<int64_t>& indices) const {
  int64_t cell = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    cell = cell * static_cast<int64_t>(parameters[i].values.size()) + indices[i];
  return cell;
}

std::vector<int64_t> Space::indices_of(int64_t cell) const {
  std::vector<int64_t> indices(parameters.size());
  for (std::size_t i = parameters.size(); i-- > 0;) {
    const auto size = static_cast<int64_t>(parameters[i].values.size());
    indices[i] = cell % size;
    cell /= size;
  }
  return indices;
}

std::string Space::key_of(int64_t cell) const {
  const std::vector<int64_t> indices = indices_of(cell);
  std::string key;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    key += (i == 0 ? "" : ",") + value_text(parameters[i].values[static_cast<std::size_t>(indices[i])]);
  return key;
}

Result<void> check_size(const std::vector<Parameter>& parameters, const std::string& where) {
  if (parameters.empty()) return invalid("the space has no parameters", where, "Give a space with some");
  int64_t count = 1;
  for (const Parameter& p : parameters) {
    const auto size = static_cast<int64_t>(p.values.size());
    if (size == 0) return invalid("the parameter " + p.name + " has no values", where, "Give it one");
    if (count > most_configurations / size)
      return invalid("the space has more than " + std::to_string(most_configurations) + " configurations", where,
                     "Leave out values, or fix parameters");
    count *= size;
  }
  return ok();
}

}  // namespace tl::tune
