// CommandWords: the words of a program's command line, with {name} where a value goes.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/tune/program/search_axis.h"

namespace tl::tune {

class CommandWords {
 public:
  // {name} stands for the value of that axis, anywhere in a word and any number of times; {{name}} for the text {name};
  // other braces stay as they are. Invalid: no program, the name of no axis (with the nearest one), an axis that is not
  // used.
  static Result<CommandWords> parse(std::vector<std::string> words, const std::vector<SearchAxis>& axes);

  // The words for one choice.
  [[nodiscard]] std::vector<std::string> filled(const std::vector<SearchAxis>& axes, const AxisPoint& point) const;
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

 private:
  explicit CommandWords(std::vector<std::string> words) : words_(std::move(words)) {}
  std::vector<std::string> words_;
};

}  // namespace tl::tune
