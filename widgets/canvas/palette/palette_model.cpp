// PaletteModel: orders entries by how well title, synonyms, category and id match the typed text.
#include "widgets/canvas/palette/palette_model.h"

#include <algorithm>

#include "widgets/canvas/palette/fuzzy.h"
#include "widgets/language/translated.h"

namespace tl::ui {
namespace {

constexpr int synonym_malus = 60, category_malus = 400, recent_bonus = 30;
constexpr int learned_first_malus = 150, not_linked_malus = 300;
// More than the difference between the start of a synonym and of a later word in it, and than the bonus for recent use:
// "rotation" then finds the nodes for the centre of rotation before objectives for the rotation axis.
constexpr int objective_malus = 250;
const QString learning_category = QStringLiteral("Learning");  // objectives, which only learning uses

// Among nodes with about equal scores, and while nothing is typed, those with an immediate effect come first.
int score_penalty(Offer offer, const QString& typed) {
  constexpr int always_after = 10'000;  // while nothing is typed, also after recently used nodes
  switch (offer) {
    case Offer::learned_first: return typed.isEmpty() ? 1 : learned_first_malus;
    case Offer::not_linked: return typed.isEmpty() ? always_after : not_linked_malus;
    case Offer::effective: break;
  }
  return 0;
}

// "rotation axis" finds "Axis by …" for the "centre of rotation": words may match in different places.
std::optional<int> phrase_score(const PaletteEntry& entry, const QString& typed) {
  std::optional<int> best = fuzzy_score(typed, entry.title);
  const auto consider = [&](const QString& text, int malus) {
    const auto s = fuzzy_score(typed, text);
    if (s && (!best || *s - malus > *best)) best = *s - malus;
  };
  const bool is_objective = entry.category == learning_category;
  for (const QString& word : entry.synonyms) consider(word, synonym_malus + (is_objective ? objective_malus : 0));
  consider(entry.key, synonym_malus);
  consider(entry.category, category_malus);
  consider(translated(entry.category.toStdString()), category_malus);
  return best;
}

}  // namespace

void PaletteModel::set_entries(std::vector<PaletteEntry> entries, const QStringList& recent) {
  beginResetModel();
  entries_ = std::move(entries);
  recent_ = recent;
  shown_.clear();
  endResetModel();
  set_typed({});
}

void PaletteModel::set_typed(const QString& typed) {
  beginResetModel();
  typed_ = typed;
  std::vector<std::pair<int, std::size_t>> ranked;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    auto s = score_by_words(typed, [&](const QString& phrase) { return phrase_score(entries_[i], phrase); });
    if (!s) continue;
    const auto used = recent_.indexOf(entries_[i].key);
    if (used >= 0) *s += typed.isEmpty() ? 1000 - static_cast<int>(used) : recent_bonus;
    ranked.emplace_back(*s - score_penalty(entries_[i].offer, typed), i);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  shown_.clear();
  for (const auto& [s, i] : ranked) shown_.push_back(i);
  endResetModel();
}

const PaletteEntry* PaletteModel::entry(const QModelIndex& index) const {
  if (!index.isValid() || index.row() >= rowCount()) return nullptr;
  return &entries_[shown_[static_cast<std::size_t>(index.row())]];
}

bool PaletteModel::is_recent(const QModelIndex& index) const {
  const PaletteEntry* e = entry(index);
  return e != nullptr && typed_.isEmpty() && recent_.contains(e->key);
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
  const PaletteEntry* e = entry(index);
  if (e == nullptr) return {};
  if (role == Qt::DisplayRole) return e->title;
  if (role == Qt::ToolTipRole) return e->summary;
  if (role == Qt::AccessibleTextRole)
    return tr("%1, %2. %3").arg(e->title, translated(e->category.toStdString()), e->summary);
  return {};
}

}  // namespace tl::ui
