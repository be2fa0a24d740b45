// Parameters: their declarations, and the values that a graph stores for them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/node/number_array.h"

namespace at {
class Tensor;
}

namespace tl {

// A number as the user wrote it: the unit is kept so that files round-trip byte for byte.
struct Number {
  double value = 0;
  Unit unit = Unit::none;
  friend bool operator==(const Number&, const Number&) = default;
};
struct NumberList {
  std::vector<double> values;
  Unit unit = Unit::none;
  friend bool operator==(const NumberList&, const NumberList&) = default;
};
// std::monostate = "auto": the node determines the value (only if the declaration allows it).
using ParamValue = std::variant<std::monostate, bool, int64_t, Number, std::string, NumberList, NumberArray>;

enum class ParamKind { flag, integer, number, choice, text, path, numbers, array };
std::string_view to_string(ParamKind kind);
enum class ParamLevel { basic, advanced };
enum class PathRole { none, input, output };

struct Choice {
  std::string name;   // in files: "shepp_logan"
  std::string title;  // on screen: "Shepp-Logan"
};

// The declaration of one parameter, used by the form, the tooltip, the file, the command line and the reference page.
struct ParamDecl {
  std::string name, title, help;
  ParamKind kind = ParamKind::number;
  Unit unit = Unit::none;           // unit of the default, the range and of numbers written without a unit
  ParamValue initial;               // the default
  std::optional<double> low, high;  // inclusive range, in `unit`
  std::vector<Choice> choices;
  ParamLevel level = ParamLevel::basic;
  PathRole path = PathRole::none;
  std::string file_format;                // "a PNG image", if the node writes one format; else empty
  std::vector<std::string> file_endings;  // endings of that format: ".png"; the first one is for new names
  bool learnable = false;
  bool names_only = false;  // affects only names and colours in infos, not what is computed
  bool per_view = false;    // a list with one entry per view, or one for all
  std::string automatic;    // meaning of "auto"; empty: a value is required

  // Type-erased access to the node's parameter struct. Values are valid and in the stored unit when assign is called.
  std::function<void(void* params, const ParamValue& value)> assign;
  std::function<ParamValue(const void* params)> read;
  std::function<void(void* params, const at::Tensor& tensor)> set_tensor;

  // The default entry of a per-view list: 0, or 1 for factors, whose range excludes 0.
  [[nodiscard]] double entry_without_effect() const { return low && *low > 0 ? 1 : 0; }
  // Invalid, naming what is expected, if the value has the wrong kind, unit or range.
  [[nodiscard]] Result<void> validate(const ParamValue& value) const;
};

// Parses a value ("1.1 um", "auto", "true", "hann", "1,2,3 px") as the command line does.
Result<ParamValue> parse_value(const ParamDecl& decl, const std::string& text);
std::string to_text(const ParamValue& value);
// The value in the stored unit of its dimension, as used in parameter structs.
ParamValue to_stored(const ParamValue& value);
// A stored value in the unit of a declaration; a number without a unit is already in the stored unit.
ParamValue in_unit(const ParamValue& value, Unit unit);

}  // namespace tl
