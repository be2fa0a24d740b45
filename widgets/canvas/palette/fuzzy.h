// Fuzzy matching of what somebody types against names.
#pragma once

#include <QString>
#include <optional>

namespace tl::ui {

// How well the letters of `typed` are found in this order in `text`; higher is better, nullopt: not at all. Whole
// words, starts of words and letters in a row count more; case does not count. Nothing typed fits everything alike.
std::optional<int> fuzzy_score(const QString& typed, const QString& text);

}  // namespace tl::ui
