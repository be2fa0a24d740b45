// Fuzzy matching: compares typed text with names.
#pragma once

#include <QString>
#include <functional>
#include <optional>

namespace tl::ui {

// Scores how well the letters of `typed` occur in this order in `text`; higher is better, nullopt: no match. Runs of
// letters and starts of words score higher; case is ignored. An empty `typed` matches everything equally.
std::optional<int> fuzzy_score(const QString& typed, const QString& text);

// Scores several words that may match different texts, such as a title and a synonym: `score` judges one phrase. The
// score of the whole text, or that of the worst matching word, whichever is higher.
std::optional<int> score_by_words(const QString& typed,
                                  const std::function<std::optional<int>(const QString& phrase)>& score);

}  // namespace tl::ui
