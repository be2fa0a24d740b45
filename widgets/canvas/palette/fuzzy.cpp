// Fuzzy matching: scores typed text against a name: consecutive letters score higher than separate ones, starts of
// words higher than their middles.
#include "widgets/canvas/palette/fuzzy.h"

#include <QStringList>
#include <algorithm>

namespace tl::ui {
namespace {

bool starts_word(const QString& text, qsizetype at) {
  return at == 0 || !text.at(at - 1).isLetterOrNumber() || (text.at(at).isUpper() && text.at(at - 1).isLower());
}

}  // namespace

std::optional<int> fuzzy_score(const QString& typed, const QString& text) {
  const QString wanted = typed.simplified().toCaseFolded();
  if (wanted.isEmpty()) return 0;
  const QString folded = text.toCaseFolded();
  if (const auto at = folded.indexOf(wanted); at >= 0)
    return 1000 - static_cast<int>(std::min<qsizetype>(text.size(), 200)) +
           (at == 0                 ? 400
            : starts_word(text, at) ? 200
                                    : 0);
  int score = 0;
  qsizetype from = 0, last = -2;
  for (const QChar letter : wanted) {
    if (letter.isSpace()) continue;
    const auto at = folded.indexOf(letter, from);
    if (at < 0) return {};
    score += at == last + 1 ? 15 : 0;
    score += starts_word(text, at) ? 20 : 0;
    score -= static_cast<int>(at - from);
    last = at;
    from = at + 1;
  }
  // Letters scattered over a sentence do not count as a match.
  if (score < 5 * static_cast<int>(wanted.size())) return {};
  return score - static_cast<int>(std::min<qsizetype>(text.size(), 100)) / 2;
}

std::optional<int> score_by_words(const QString& typed,
                                  const std::function<std::optional<int>(const QString& phrase)>& score) {
  const std::optional<int> whole = score(typed);
  const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  if (words.size() < 2) return whole;
  std::optional<int> least;
  for (const QString& word : words) {
    const std::optional<int> one = score(word);
    if (!one) return whole;
    least = least ? std::min(*least, *one) : *one;
  }
  return whole ? std::max(*whole, *least) : least;
}

}  // namespace tl::ui
