// Fuzzy matching: compares typed text with names.
#pragma once

#include <QString>
#include <optional>

namespace tl::ui {

// Scores how well the letters of `typed` occur in this order in `text`; higher is better, nullopt: no match. Runs of
// letters and starts of words score higher; case is ignored. An empty `typed` matches everything equally.
std::optional<int> fuzzy_score(const QString& typed, const QString& text);

}  // namespace tl::ui
