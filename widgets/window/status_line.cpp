// StatusLine: shows run, last message, value under the mouse and cache use in one row at the bottom of the window.
#include "widgets/window/status_line.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QProgressBar>
#include <QRegularExpression>
#include <QToolButton>
#include <utility>

#include "core/learn/learning_types.h"
#include "widgets/language/translated.h"
#include "widgets/text/amounts.h"
#include "widgets/text/typeset.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"
#include "widgets/window/state/message_model.h"

namespace tl::ui {
namespace {

// Shorter work is not shown: the words would flicker while a slider is dragged.
constexpr int unnoticed_ms = 250;

// The parameters that are learned: "Axis, Tilt".
QString learned_names(const LiveSession& session, const Document& document) {
  QStringList names, cards;
  for (const learn::Target& target : session.learning_settings().targets) {
    const NodeType* type = find_node_type(document.graph(), document.registry(), target.node);
    const ParamDecl* decl = type == nullptr ? nullptr : type->param(target.name);
    names << (decl == nullptr ? QString::fromStdString(target.name) : translated(decl->title));
    cards << document.card_title(QString::fromStdString(target.node));
  }
  // Parameters with the same name are distinguished by the titles of their cards.
  QStringList shown;
  for (qsizetype i = 0; i < names.size(); ++i)
    shown << (names.count(names[i]) > 1 ? QStringLiteral("%1 (%2)").arg(names[i], cards[i]) : names[i]);
  return shown.join(QStringLiteral(", "));
}

// A message begins with the found value, then describes how it was found: the message list shows all of it.
QString first_sentence(const QString& text) {
  static const QRegularExpression end(QStringLiteral("\\.\\s+(?=[\\p{Lu}\\d])"));
  const auto match = end.match(text);
  return match.hasMatch() ? text.left(match.capturedStart()) : text;
}

}  // namespace

StatusLine::StatusLine(LiveSession& session, MessageModel& messages, QWidget* parent)
    : QWidget(parent),
      session_(session),
      messages_(messages),
      state_(new QLabel(this)),
      last_(new QLabel(this)),
      hover_(new QLabel(this)),
      cache_(new QLabel(this)),
      progress_(new QProgressBar(this)),
      count_(new QToolButton(this)) {
  setProperty("role", "status");
  setAttribute(Qt::WA_StyledBackground);
  setFixedHeight(height);
  state_->setObjectName(QStringLiteral("activity"));
  last_->setProperty("role", "second");
  last_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  last_->setTextFormat(Qt::PlainText);
  last_->installEventFilter(this);
  hover_->setProperty("role", "second");
  hover_->setFont(Theme::number_font());
  cache_->setProperty("role", "second");
  progress_->setFixedWidth(Theme::space(40));
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("Progress of the run"));
  count_->setAccessibleName(tr("Open the list of messages"));
  count_->setAutoRaise(true);
  auto* row = spaced(new QHBoxLayout(this), 4, {3, 0, 2, 0});
  row->addWidget(state_);
  row->addWidget(progress_);
  row->addWidget(cache_);
  row->addWidget(last_, 1);
  row->addWidget(hover_);
  row->addWidget(count_);
  connect(count_, &QToolButton::clicked, this, &StatusLine::messages_wanted);
  settle_.setSingleShot(true);
  settle_.setInterval(unnoticed_ms);
  connect(&settle_, &QTimer::timeout, this, &StatusLine::show_activity);
  connect(&session_, &LiveSession::activity_changed, this, [this] {
    learning_pauses_ = false;
    if (session_.activity().kind == live::Activity::Kind::updating)
      settle_.start();
    else
      show_activity();
  });
  connect(&session_, &LiveSession::learning_paused, this, [this] {
    learning_pauses_ = true;
    show_activity();
  });
  connect(&session_, &LiveSession::learning, this, [this] {
    if (std::exchange(learning_pauses_, false)) show_activity();
  });
  connect(&session_, &LiveSession::run_changed, this, &StatusLine::show_run);
  connect(&messages_, &MessageModel::pipeline_begun, this, &StatusLine::show_messages);
  connect(&session_, &LiveSession::cache_changed, this, &StatusLine::show_cache);
  connect(&messages_, &MessageModel::rowsInserted, this, &StatusLine::show_messages);
  connect(&messages_, &MessageModel::modelReset, this, &StatusLine::show_messages);
  show_run();
  show_cache();
  show_messages();
}

void StatusLine::show_hover(const QString& value) { hover_->setText(value); }

void StatusLine::show_job(const QString& text, double fraction) {
  job_ = text;
  job_done_ = fraction;
  show_run();
}

void StatusLine::fit_message() {
  last_->setText(last_->fontMetrics().elidedText(last_message_, Qt::ElideRight, last_->contentsRect().width()));
  last_->setAccessibleName(last_message_);
}

bool StatusLine::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) fit_message();
  return QWidget::eventFilter(watched, event);
}

void StatusLine::mousePressEvent(QMouseEvent* /*event*/) { Q_EMIT messages_wanted(); }

QString StatusLine::activity_text() const {
  switch (session_.activity().kind) {
    case live::Activity::Kind::idle: return tr("idle");
    case live::Activity::Kind::updating: return tr("updating the views");
    case live::Activity::Kind::running: return tr("running");
    case live::Activity::Kind::learning:
      return (learning_pauses_ ? tr("learning %1 · paused") : tr("learning %1"))
          .arg(learned_names(session_, session_.document()));
    case live::Activity::Kind::checking: return tr("checking");
  }
  return {};
}

void StatusLine::show_activity() {
  settle_.stop();
  if (session_.run_progress().running) return;  // show_run() says more
  const live::Activity::Kind kind = session_.activity().kind;
  const bool is_free = kind == live::Activity::Kind::idle || kind == live::Activity::Kind::updating;
  const bool has_job = is_free && !job_.isEmpty();
  set_style_property(*state_, "tone", kind == live::Activity::Kind::idle && !has_job ? "" : "busy");
  state_->setText(has_job ? job_ : activity_text());
  progress_->setVisible(has_job);
  if (!has_job) return;
  progress_->setRange(0, job_done_ > 0 ? 1000 : 0);
  progress_->setValue(static_cast<int>(1000 * job_done_));
}

void StatusLine::show_run() {
  const live::RunProgress& run = session_.run_progress();
  if (!run.running) return show_activity();
  progress_->show();
  set_style_property(*state_, "tone", "busy");
  QString text = run.doing.empty() ? tr("running") : translated(run.doing);
  if (run.fraction > 0) text += tr(" · %1 %").arg(static_cast<int>(100 * run.fraction));
  if (run.seconds_left >= 0) text += tr(" · %1 left").arg(duration_text(run.seconds_left));
  state_->setText(text);
  progress_->setRange(0, run.fraction > 0 ? 1000 : 0);
  progress_->setValue(static_cast<int>(1000 * run.fraction));
}

void StatusLine::show_cache() {
  const live::CacheUse& cache = session_.cache_use();
  cache_->setVisible(cache.budget > 0);
  cache_->setText(tr("cache %1 of %2").arg(bytes_text(cache.used), bytes_text(cache.budget)));
}

void StatusLine::show_messages() {
  const Message* last = messages_.last();
  last_message_ = last != nullptr ? typeset(first_sentence(last->text)) : QString();
  fit_message();
  last_->setToolTip(last != nullptr ? typeset(last->text) : QString());
  set_style_property(*last_, "tone",
                     last == nullptr                    ? ""
                     : last->level == LogLevel::error   ? "error"
                     : last->level == LogLevel::warning ? "warning"
                                                        : "");
  const int errors = messages_.count(LogLevel::error), all = messages_.count();
  const QString total = all == 0 ? tr("no messages") : all == 1 ? tr("1 message") : tr("%1 messages").arg(all);
  count_->setText(errors == 0   ? total
                  : errors == 1 ? tr("%1, 1 error").arg(total)
                                : tr("%1, %2 errors").arg(total).arg(errors));
  set_style_property(*count_, "tone", errors > 0 ? "error" : "");
}

}  // namespace tl::ui
