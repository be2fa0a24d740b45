// QueueSide: builds the two parts and fills them.
#include "widgets/queue/queue_side.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include "widgets/jobs/value_rows.h"
#include "widgets/text/amounts.h"
#include "widgets/text/forecast_text.h"
#include "widgets/theme/flow_layout.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int picture_size = 200;  // px

QLabel* heading(const QString& text, QWidget* parent) {
  auto* label = as_heading(new QLabel(text, parent));
  label->setWordWrap(true);
  return label;
}

QLabel* wrapped(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  return label;
}

QString tone_of(Token token) {
  switch (token) {
    case Token::good: return QStringLiteral("good");
    case Token::warning: return QStringLiteral("warning");
    case Token::error: return QStringLiteral("error");
    case Token::busy: return QStringLiteral("busy");
    default: return QStringLiteral("second");
  }
}

}  // namespace

QueueSide::QueueSide(QueueSession& queue, QueueTable& table, QWidget* parent)
    : QScrollArea(parent), queue_(queue), table_(table), row_(new QWidget), time_(nullptr) {
  setProperty("role", "dock");
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("The selected run, and the forecast of the queue"));
  setFocusPolicy(Qt::NoFocus);
  auto* inner = new QWidget(this);
  inner->setProperty("role", "dock");
  inner->setAttribute(Qt::WA_StyledBackground);
  auto* column = spaced(new QVBoxLayout(inner), 2, {3, 3, 3, 3});
  auto* of_row = spaced(new QVBoxLayout(row_), 2, {0, 0, 0, 3});
  of_row->addWidget(heading(tr("Run"), row_));
  name_ = wrapped(row_);
  QFont bold = Theme::text_font();
  bold.setWeight(QFont::DemiBold);
  name_->setFont(bold);
  state_ = wrapped(row_);
  picture_ = new QLabel(row_);
  picture_->setAccessibleName(tr("Middle slice of the result"));
  for (QWidget* w : std::initializer_list<QWidget*>{name_, state_, picture_}) of_row->addWidget(w);
  values_place_ = new QVBoxLayout;
  of_row->addLayout(values_place_);
  auto* buttons = spaced(new FlowLayout, 2);
  const auto button = [&](const QString& text, const QString& help) {
    auto* made = new QPushButton(text, row_);
    made->setToolTip(help);
    buttons->addWidget(made);
    return made;
  };
  open_ = button(tr("Open"), tr("Shows the voxels that were computed (Enter)"));
  folder_ = button(tr("Show folder"), tr("The folder of the results"));
  retry_ = button(tr("Retry"), tr("The scan waits again (R)"));
  of_row->addLayout(buttons);
  column->addWidget(row_);
  column->addWidget(heading(tr("Forecast of the whole queue"), inner));
  memory_ = add_gauge(*column, tr("Memory"));
  disk_ = add_gauge(*column, tr("Disk"));
  time_ = wrapped(inner);
  column->addWidget(time_);
  column->addStretch(1);
  setWidget(inner);
  connect(open_, &QPushButton::clicked, this, [this] {
    if (const tl::ScanRow* row = table_.current_row(); row != nullptr) Q_EMIT open_wanted(queue_.result_of(*row));
  });
  connect(folder_, &QPushButton::clicked, this, [this] {
    if (const tl::ScanRow* row = table_.current_row(); row != nullptr)
      QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(queue_.result_of(*row)).absolutePath()));
  });
  connect(retry_, &QPushButton::clicked, this, [this] { queue_.retry(table_.selected()); });
  const auto show = [this] {
    show_row();
    show_forecast();
  };
  connect(&table, &QueueTable::selection_changed, this, &QueueSide::show_row);
  for (const auto signal :
       {&QueueSession::rows_changed, &QueueSession::forecasts_changed, &QueueSession::folder_changed})
    connect(&queue, signal, this, show);
  connect(&queue, &JobSession::progressed, this, show);
  connect(&queue, &JobSession::state_changed, this, show);
  show();
}

QueueSide::Gauge QueueSide::add_gauge(QVBoxLayout& column, const QString& title) {
  auto* name = new QLabel(title, this);
  const Gauge gauge{wrapped(this), new QProgressBar(this), wrapped(this)};
  gauge.bar->setRange(0, 1000);
  gauge.bar->setTextVisible(false);
  gauge.bar->setAccessibleName(title);
  gauge.note->setProperty("role", "second");
  auto* line = new QHBoxLayout;
  line->addWidget(name);
  line->addWidget(gauge.value, 1);
  gauge.value->setAlignment(Qt::AlignRight);
  column.addLayout(line);
  column.addWidget(gauge.bar);
  column.addWidget(gauge.note);
  return gauge;
}

void QueueSide::show_gauge(const Gauge& gauge, qint64 part, qint64 whole, const QString& note) {
  const bool is_known = part > 0 && whole >= 0;
  gauge.value->setText(is_known ? tr("%1 of %2").arg(bytes_text(part), bytes_text(whole)) : tr("not known yet"));
  gauge.bar->setValue(is_known && whole > 0 ? static_cast<int>(std::min<qint64>(1000, 1000 * part / whole)) : 0);
  gauge.note->setText(note);
  gauge.note->setVisible(!note.isEmpty());
  set_style_property(*gauge.note, "tone", is_known && part > whole ? "error" : "second");
}

void QueueSide::show_row() {
  const tl::ScanRow* row = table_.current_row();
  row_->setVisible(row != nullptr);
  if (row == nullptr) return;
  name_->setText(scan_text(queue_, *row).first);
  const RowText state = row_state_text(queue_, *row), time = time_text(queue_, *row);
  state_->setText(time.first.isEmpty() ? state.first : state.first + QStringLiteral(" · ") + time.first);
  set_style_property(*state_, "tone", tone_of(state.first_color));
  const QImage image = queue_.thumbnail(row->name);
  picture_->setVisible(!image.isNull());
  if (!image.isNull())
    picture_->setPixmap(
        QPixmap::fromImage(image.scaled(picture_size, picture_size, Qt::KeepAspectRatio, Qt::SmoothTransformation)));
  delete values_;
  values_ = new ValueRows(row_);
  values_place_->addWidget(values_);
  for (const FoundValue& value : found_values_of(*row)) {
    if (value.verdict.isEmpty())
      values_->add_row(value.name, value.text, ValueRows::Weight::normal);
    else
      values_->add_judged_row(value.name, value.text, {value.verdict, tone_of(value.color), value.verdict});
  }
  for (const std::string& setting : row->settings) {
    const auto [parameter, value] = split_setting(setting);
    values_->add_row(QString::fromStdString(parameter), tr("%1 · yours").arg(QString::fromStdString(value)),
                     ValueRows::Weight::normal);
  }
  for (const std::string& file : row->files) values_->add_note(QString::fromStdString(file));
  const RowText notes = notes_text(queue_, *row);
  if (row->state == ScanState::failed) values_->add_note(notes.first);
  for (const QString& note : all_notes(queue_, *row)) values_->add_note(note);
  const bool has_result = !queue_.result_of(*row).isEmpty();
  open_->setEnabled(has_result);
  folder_->setEnabled(has_result);
  retry_->setVisible(row->state == ScanState::failed && queue_.foreign().isEmpty());
}

void QueueSide::show_forecast() {
  const QueueSession::Whole whole = queue_.whole();
  if (whole.scans == 0) {
    show_gauge(memory_, 0, 0, {});
    show_gauge(disk_, 0, 0, {});
    time_->setText(tr("Nothing waits"));
    return;
  }
  show_gauge(memory_, whole.peak, whole.memory,
             whole.largest.empty() ? QString() : tr("largest: %1").arg(QString::fromStdString(whole.largest)));
  show_gauge(disk_, whole.disk, whole.free_disk,
             whole.free_disk >= 0 && whole.disk > whole.free_disk
                 ? tr("The disk has no room for all results: free some, or choose another folder")
                 : tr("free on the disk of the results"));
  time_->setText(whole.seconds < 0 ? tr("Time: known once a scan of each pipeline was measured")
                                   : tr("Time: %1 for %2 scans").arg(about_duration(whole.seconds)).arg(whole.scans));
}

}  // namespace tl::ui
