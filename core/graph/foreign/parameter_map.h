// ParameterMap: one parameter under its two names, here and in another program, and how its values are converted.
// Internal to core/graph/foreign.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/foreign/foreign.h"
#include "core/node/node_type.h"

namespace tl::foreign {

// The text that stands for a missing value in files read here, whatever their own spelling.
inline constexpr std::string_view none_text = "null";

// A word of the other program and our value for it, as text.
struct WordPair {
  std::string_view theirs, ours;
};

struct ParameterMap {
  std::string_view theirs, ours;
  Unit unit = Unit::none;                // of their number; none: that of our declaration
  std::string_view missing = none_text;  // what they take where the parameter is not in the file
  std::vector<WordPair> words = {};      // the first pair with a value is the one that is written
};

// Their text as a value of our parameter. Invalid, with the reason, if it has no counterpart here.
Result<ParamValue> our_value(const ParameterMap& map, const ParamDecl& decl, const std::string& theirs);
// Our value as their text; nothing if it has no counterpart. "auto" has one only through WordPair.
std::optional<std::string> foreign_value(const ParameterMap& map, const ParamDecl& decl, const ParamValue& ours);

// What a node of a graph uses: the value that was set, or the default.
const ParamValue& value_of(const GraphNode& node, const ParamDecl& decl);
// A whole text as a number, with a decimal point.
std::optional<double> number_of(std::string_view text);
// The fewest digits that read back to the same number.
std::string number_text(double value);
// Whether two texts are the same, or the same number ("6" and "6.0"), or both true or false.
bool is_same(std::string_view a, std::string_view b);

}  // namespace tl::foreign
