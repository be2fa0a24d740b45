// ObjectiveChooser: chooses the objective to minimise from a combo box, the best one first.
#include "widgets/learning/objective_chooser.h"

#include <QComboBox>
#include <QLabel>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/language/translated.h"
#include "widgets/session/layout.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

bool same_choice(const learn::ObjectiveChoice& a, const learn::ObjectiveChoice& b) {
  return a.type == b.type && a.existing == b.existing && a.link == b.link && a.params == b.params &&
         a.obstacle.has_value() == b.obstacle.has_value() && (!a.obstacle || a.obstacle->what == b.obstacle->what);
}
}  // namespace

ObjectiveChooser::ObjectiveChooser(LearningSession& learning, QWidget* parent)
    : QWidget(parent), learning_(learning), box_(new QComboBox(this)), note_(new QLabel(this)) {
  auto* column = spaced(new QVBoxLayout(this), 1);
  // Label above the box, since titles of objectives need the dock's whole width.
  auto* label = new QLabel(tr("Objective"), this);
  label->setProperty("role", "second");
  label->setBuddy(box_);
  column->addWidget(label);
  column->addWidget(box_);
  column->addWidget(note_);
  as_note(note_);
  box_->setAccessibleName(tr("Objective"));
  box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box_->setMinimumContentsLength(12);
  connect(box_, &QComboBox::activated, this, [this](int index) {
    if (index >= 0 && index < static_cast<int>(choices_.size()))
      learning_.choose(learn::ObjectiveChoice(choices_[static_cast<std::size_t>(index)]));
  });
  connect(&learning_, &LearningSession::settings_changed, this, &ObjectiveChooser::refresh);
  connect(&learning_, &LearningSession::state_changed, this, &ObjectiveChooser::refresh);
  refresh();
}

QString ObjectiveChooser::title_of(const learn::ObjectiveChoice& choice) const {
  if (choice.existing) return learning_.title_of(choice.existing->node);
  const NodeType* type = learning_.live().document().registry().find(choice.type);
  return type == nullptr ? QString::fromStdString(choice.type) : translated(type->title);
}

const learn::ObjectiveChoice* ObjectiveChooser::chosen() const {
  const int index = box_->currentIndex();
  return index < 0 ? nullptr : &choices_[static_cast<std::size_t>(index)];
}

QString ObjectiveChooser::why_none() const {
  if (choices_.empty() || !choices_.front().obstacle) return tr("No objective is known.");
  return tr("No objective fits. %1: %2").arg(title_of(choices_.front()), error_text(*choices_.front().obstacle));
}

void ObjectiveChooser::refresh() {
  std::vector<learn::ObjectiveChoice> now = learning_.objective_choices();
  if (now.size() != choices_.size() || !std::equal(now.begin(), now.end(), choices_.begin(), same_choice)) {
    choices_ = std::move(now);
    box_->clear();
    auto* model = qobject_cast<QStandardItemModel*>(box_->model());
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      const learn::ObjectiveChoice& choice = choices_[i];
      box_->addItem(title_of(choice));
      const NodeType* type = learning_.live().document().registry().find(choice.type);
      const QString why =
          choice.obstacle ? error_text(*choice.obstacle) : translated(type == nullptr ? "" : type->summary);
      QStandardItem* item = model->item(static_cast<int>(i));
      item->setToolTip(why);
      item->setEnabled(!choice.obstacle);
    }
  }
  // The suggestion made before the scan was analysed may not be the best.
  const bool looks = learning_.is_looking();
  int current = choices_.empty() || choices_.front().obstacle || looks ? -1 : 0;
  for (std::size_t i = 0; i < choices_.size(); ++i)
    if (choices_[i].existing && *choices_[i].existing == learning_.settings().objective) current = static_cast<int>(i);
  box_->setCurrentIndex(current);
  box_->setEnabled(!learning_.is_busy() && !choices_.empty());
  const learn::ObjectiveChoice* shown = chosen();
  const NodeType* type = shown == nullptr ? nullptr : learning_.live().document().registry().find(shown->type);
  // The objective of the current run fits, but may be too new to be in the list.
  if (shown != nullptr && shown->obstacle && !learning_.is_busy()) {
    note_->setText(error_text(*shown->obstacle));
  } else if (type != nullptr) {
    const bool suggested = !shown->existing && shown == &choices_.front();
    const QString summary = translated(type->summary);
    note_->setText(suggested ? tr("Suggested. %1").arg(summary) : summary);
  } else if (looks) {
    note_->setText(tr("Looking at the scan…"));
  } else {
    note_->setText(learning_.settings().targets.empty() ? QString() : tr("See the reasons in the list."));
  }
  note_->setVisible(!note_->text().isEmpty());
  setVisible(!learning_.settings().targets.empty());
}

}  // namespace tl::ui
