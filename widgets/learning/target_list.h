// TargetList: one card per parameter marked to be learned, and a list of other learnable parameters.
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/learning/target_card.h"
#include "widgets/session/learning_session.h"

class QVBoxLayout;

namespace tl::ui {

class LearnableList;

class TargetList final : public QWidget {
  Q_OBJECT
 public:
  explicit TargetList(LearningSession& learning, QWidget* parent = nullptr);
  [[nodiscard]] const std::vector<TargetCard*>& cards() const { return cards_; }

 private:
  void refresh();
  [[nodiscard]] TargetCard::Shown shown(const learn::Target& target) const;
  LearningSession& learning_;
  LearnableList* learnables_;  // below the cards, until a run begins
  QVBoxLayout* column_;
  std::vector<TargetCard*> cards_;
  std::vector<std::pair<std::string, std::string>> parameters_;  // of cards_
};

}  // namespace tl::ui
