// Wording: both wordings between separators of ASCII, which no text on screen contains.
#include "core/base/wording.h"

namespace tl {
namespace {
constexpr char begin_mark = '\x1d', middle_mark = '\x1e', end_mark = '\x1f';
}  // namespace

std::string two_wordings(std::string_view command_line, std::string_view window) {
  std::string text(1, begin_mark);
  text.append(command_line).append(1, middle_mark).append(window).append(1, end_mark);
  return text;
}

std::string wording_for(FrontEnd front_end, std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto begin = text.find(begin_mark);
    const auto middle = text.find(middle_mark, begin == text.npos ? begin : begin + 1);
    const auto end = text.find(end_mark, middle == text.npos ? middle : middle + 1);
    if (end == text.npos) break;
    out += text.substr(0, begin);
    out += front_end == FrontEnd::command_line ? text.substr(begin + 1, middle - begin - 1)
                                               : text.substr(middle + 1, end - middle - 1);
    text.remove_prefix(end + 1);
  }
  return out.append(text);
}

std::string message_for(FrontEnd front_end, const Error& error) {
  std::string text = error.what;
  if (!error.where.empty()) text += " (" + error.where + ")";
  if (!error.hint.empty()) text += ". " + error.hint;
  return wording_for(front_end, text);
}

}  // namespace tl
