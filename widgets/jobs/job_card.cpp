// JobCard: is filled by the kind of job, and pressed.
#include "widgets/jobs/job_card.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "widgets/jobs/value_rows.h"
#include "widgets/theme/flow_layout.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

JobCard::JobCard(JobSession& job, const JobSpec& spec, QWidget* parent)
    : QFrame(parent),
      job_(job),
      spec_(spec),
      column_(new QVBoxLayout(this)),
      row_(new FlowLayout),
      failure_(new QLabel(this)) {
  setProperty("role", "card");
  setAccessibleName(spec_.result);
  spaced(column_, 2, {3, 2, 3, 2});
  failure_->setProperty("tone", "error");
  failure_->setWordWrap(true);
  column_->addWidget(failure_);
  column_->addLayout(spaced(row_, 2));
  connect(&job_, &JobSession::state_changed, this, [this] {
    failure_->hide();
    refresh();
  });
  connect(&job_, &JobSession::settings_changed, this, &JobCard::refresh);
  failure_->hide();
  refresh();
}

void JobCard::press(std::size_t button) {
  failure_->hide();
  const QString wrong = spec_.result_buttons().at(button).press(this);
  failure_->setText(wrong);
  failure_->setVisible(!wrong.isEmpty());
}

void JobCard::refresh() {
  if (ValueRows* before = std::exchange(values_, nullptr)) {
    before->hide();
    before->deleteLater();
  }
  const bool shown = job_.state() == JobState::ended;
  setVisible(shown);
  if (!shown) return;
  values_ = new ValueRows(this);
  spec_.fill_result(*values_);
  column_->insertWidget(0, values_);
  refresh_buttons();
}

void JobCard::refresh_buttons() {
  const std::vector<ResultButton> now = spec_.result_buttons();
  while (buttons_.size() < now.size()) {
    auto* made = new QPushButton(this);
    connect(made, &QPushButton::clicked, this, [this, at = buttons_.size()] { press(at); });
    row_->addWidget(made);
    buttons_.push_back(made);
  }
  for (std::size_t i = 0; i < now.size(); ++i) {
    buttons_[i]->setText(now[i].text);
    buttons_[i]->setToolTip(now[i].help);
    buttons_[i]->setEnabled(now[i].is_enabled);
    buttons_[i]->setVisible(now[i].is_shown);
    set_style_property(*buttons_[i], "role", now[i].role == ResultButton::Role::primary ? "primary" : "");
  }
}

}  // namespace tl::ui
