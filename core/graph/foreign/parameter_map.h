// ParameterMap: one parameter under its two names, in this and in another program, and how its values are converted.
// Internal to core/graph/foreign.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/foreign/foreign.h"
#include "core/node/node_type.h"

namespace tl::foreign {

// The text for a missing value in all files read here, whatever their own spelling.
inline constexpr std::string_view none_text = "null";

// A word of the other program and Tomoloom's value for it, as text.
struct WordPair {
  std::string_view theirs, ours;
};

struct ParameterMap {
  std::string_view theirs, ours;
  Unit unit = Unit::none;                // unit of the number in the file; none: the unit of Tomoloom's declaration
  std::string_view missing = none_text;  // the value that the other program uses if the parameter is not in the file
  std::vector<WordPair> words = {};      // of several pairs with the same value, the first one is written
};

// The other program's text as a value of our parameter. Invalid, with the reason, if it has no counterpart here.
Result<ParamValue> our_value(const ParameterMap& map, const ParamDecl& decl, const std::string& theirs);
// Tomoloom's value as the other program's text; nullopt if it has no counterpart. "auto" has one only through WordPair.
std::optional<std::string> foreign_value(const ParameterMap& map, const ParamDecl& decl, const ParamValue& ours);

// The value that a node of a graph uses: the one that was set, or the default.
const ParamValue& value_of(const GraphNode& node, const ParamDecl& decl);
// A whole text as a number, with a decimal point.
std::optional<double> number_of(std::string_view text);
// The number as text, with the fewest digits that read back as the same number.
std::string number_text(double value);
// Whether two texts are the same, or the same number ("6" and "6.0"), or both true or false.
bool is_same(std::string_view a, std::string_view b);

}  // namespace tl::foreign
