// TargetList: shows a card per parameter marked to be learned, and follows the document.
#include "widgets/learning/target_list.h"

#include <QVBoxLayout>

#include "widgets/learning/learnable_list.h"
#include "widgets/text/found_text.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

TargetList::TargetList(LearningSession& learning, QWidget* parent)
    : QWidget(parent),
      learning_(learning),
      learnables_(new LearnableList(learning, this)),
      column_(new QVBoxLayout(this)) {
  spaced(column_, 2);
  column_->addWidget(learnables_);
  connect(&learning_, &LearningSession::settings_changed, this, &TargetList::refresh);
  connect(&learning_, &LearningSession::state_changed, this, &TargetList::refresh);
  refresh();
}

TargetCard::Shown TargetList::shown(const learn::Target& target) const {
  TargetCard::Shown s{
      target, learning_.declaration(target), learning_.title_of(target), learning_.title_of(target.node), {}};
  if (s.decl == nullptr) return s;
  const GraphNode& node = learning_.live().document().graph().nodes.at(target.node);
  const auto set = node.params.find(target.name);
  const ParamValue& present = set == node.params.end() ? s.decl->initial : set->second;
  const auto* array = std::get_if<NumberArray>(&present);
  s.present = array != nullptr ? shape_words(array->shape()) : shown_value(*s.decl, present);
  if (const auto found =
          learn::found_of(learning_.records(), learning_.live().document().graph(), target.node, target.name))
    s.present = found_text(*found);
  if (std::holds_alternative<std::monostate>(present))
    if (const auto value = learning_.value_in_scan(target)) s.present = found_text(*value, 0, s.decl->unit);
  return s;
}

void TargetList::refresh() {
  std::vector<std::pair<std::string, std::string>> wanted;
  for (const learn::Target& t : learning_.settings().targets) wanted.emplace_back(t.node, t.name);
  if (wanted != parameters_) {
    for (TargetCard* card : cards_) card->deleteLater();
    cards_.clear();
    parameters_ = wanted;
    for (const learn::Target& t : learning_.settings().targets) {
      auto* card = new TargetCard(shown(t), this);
      column_->insertWidget(column_->indexOf(learnables_), card);
      cards_.push_back(card);
      connect(card, &TargetCard::unmarked, this, [this, t] { learning_.unmark(t); });
      connect(card, &TargetCard::edited, this, [this](const learn::Target& edited) {
        learning_.change(tr("Change how %1 is learned").arg(learning_.title_of(edited)), [&](learn::Settings& s) {
          for (learn::Target& target : s.targets)
            if (target.node == edited.node && target.name == edited.name) target = edited;
        });
      });
    }
  }
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    cards_[i]->show_target(shown(learning_.settings().targets[i]));
    cards_[i]->set_editable(!learning_.is_busy());
  }
  learnables_->setVisible(cards_.empty() || learning_.state() == JobState::idle);
}

}  // namespace tl::ui
