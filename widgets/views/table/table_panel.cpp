// TablePanel: requests the table of the node whenever its result changes, and shows it.
#include "widgets/views/table/table_panel.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QScopedValueRollback>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/picture/levels.h"
#include "widgets/language/translated.h"
#include "widgets/plot/plot_panel.h"
#include "widgets/session/exports.h"
#include "widgets/session/save_dialog.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/chip_button.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int rows_height = 110, plot_height = 170;
constexpr QSize window_size(860, 680);
constexpr int filter_delay_ms = 150;  // after the last key

QStringList table_ports(const NodeType& type) {
  QStringList ports;
  if (type.measure) return ports;
  for (const PortDecl& port : type.outputs)
    if (is_table(port.type)) ports << QString::fromStdString(port.name);
  return ports;
}

// A histogram as a step line; the number of bins is the square root of the count, within what is distinguishable on
// screen.
PlotContent histogram_of(const TableModel& model, int place) {
  const live::PlainColumn& column = model.all().at(static_cast<std::size_t>(place));
  picture::Image numbers;
  for (int row = 0; row < model.rowCount(); ++row)
    if (const double v = model.value(row, place); std::isfinite(v)) numbers.pixels.push_back(static_cast<float>(v));
  PlotContent content;
  content.x = {TableModel::name(column), QString::fromStdString(column.unit)};
  content.y = {TablePanel::tr("rows"), {}};
  if (numbers.pixels.empty()) return content;
  numbers.rows = 1;
  numbers.cols = static_cast<int64_t>(numbers.pixels.size());
  constexpr double fewest = 8, most = 80;
  const int bins = static_cast<int>(std::clamp(std::sqrt(static_cast<double>(numbers.cols)), fewest, most));
  picture::Levels range = picture::full_levels(numbers);
  if (!(range.high > range.low)) range.high = range.low + 1;
  const picture::Histogram counted = picture::histogram(numbers, range, bins);
  PlotSeries steps;
  steps.name = content.x.title;
  const double width = (counted.range.high - counted.range.low) / bins;
  for (int i = 0; i < bins; ++i) {
    const double left = counted.range.low + i * width;
    const auto count = static_cast<double>(counted.counts[static_cast<std::size_t>(i)]);
    steps.x.insert(steps.x.end(), {left, left + width});
    steps.y.insert(steps.y.end(), {count, count});
  }
  content.series.push_back(std::move(steps));
  return content;
}

QString exact_text(double value) { return std::isnan(value) ? QString() : QString::number(value, 'g', 17); }

}  // namespace

TablePanel::TablePanel(PictureSource& source, ViewState& state, QWidget* parent)
    : TablePanel(source, state, QString(), parent) {}

TablePanel::TablePanel(PictureSource& source, ViewState& state, const QString& node, QWidget* parent)
    : QWidget(parent, node.isEmpty() ? Qt::WindowFlags() : Qt::WindowFlags(Qt::Window)),
      source_(source),
      state_(state),
      own_node_(node),
      model_(new TableModel(this)),
      finder_(new ObjectFinder(source, state, this)),
      table_(new QTableView),
      message_(new QLabel),
      filter_(new QLineEdit),
      port_(new QComboBox),
      histogram_(new PlotPanel(tr("Histogram of the column"))) {
  build();
  connect_source();
  follow();
}

void TablePanel::connect_source() {
  connect(&source_, &PictureSource::value_ready, this, &TablePanel::take);
  connect(&source_, &PictureSource::graph_changed, this, &TablePanel::follow);
  connect(&state_, &ViewState::node_changed, this, &TablePanel::follow);
  connect(&source_, &PictureSource::status_changed, this, [this](const QString& node) {
    if (node != node_) return;
    const live::State now = source_.status(node).state;
    if (now != node_state_) ask(live::Effort::cached_only);
    node_state_ = now;
  });
  connect(finder_, &ObjectFinder::found, this, &TablePanel::choose_number);
}

TablePanel* TablePanel::open_window() {
  if (window_ == nullptr || window_->node_ != node_) {
    if (window_ != nullptr) window_->close();
    window_ = new TablePanel(source_, state_, node_, this);
    window_->setAttribute(Qt::WA_DeleteOnClose);
    if (const NodeType* type = find_node_type(source_.graph(), source_.registry(), node_.toStdString()))
      window_->setWindowTitle(tr("Table · %1").arg(translated(type->title)));
    window_->port_->setCurrentIndex(port_->currentIndex());
    window_->resize(window_size);
  }
  window_->show();
  window_->raise();
  window_->activateWindow();
  return window_;
}

void TablePanel::build() {
  auto* column = spaced(new QVBoxLayout(this), 1, {2, 0, 2, 1});
  port_->setAccessibleName(tr("Table"));
  column->addWidget(port_);
  add_filter(*column);
  table_->setModel(model_);
  table_->setAccessibleName(tr("Rows of the table"));
  table_->setSortingEnabled(true);
  table_->sortByColumn(-1, Qt::AscendingOrder);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setMinimumHeight(rows_height);
  table_->setFont(Theme::number_font());
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setHighlightSections(false);
  table_->installEventFilter(this);
  column->addWidget(table_, 1);
  histogram_->setMinimumHeight(plot_height);
  histogram_->set_export_rules([this] { return source_.export_rules(); });
  histogram_->hide();
  column->addWidget(histogram_);
  as_note(message_);
  column->addWidget(message_);
  add_buttons(*column);
  connect(port_, &QComboBox::activated, this, [this] {
    model_->set_columns({});
    known_ = false;
    ask(live::Effort::cached_only);
  });
  connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& now, const QModelIndex& before) {
            if (histogram_->isVisible() && now.column() != before.column()) show_histogram();
            if (now.isValid() && !is_choosing_) choose_row(now.row());
          });
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TablePanel::highlight);
}

// A window has room for it, and for the histogram.
void TablePanel::add_filter(QVBoxLayout& column) {
  filter_->setPlaceholderText(tr("Filter, for example: volume > 10 and x < 2"));
  filter_->setAccessibleName(tr("Filter of rows"));
  filter_->setToolTip(
      tr("Conditions on columns, joined by \"and\"; without a comparison, digits that a number contains"));
  filter_->setClearButtonEnabled(true);
  filter_->setVisible(!own_node_.isEmpty());
  column.addWidget(filter_);
  auto* later = new QTimer(this);
  later->setSingleShot(true);
  later->setInterval(filter_delay_ms);
  connect(filter_, &QLineEdit::textChanged, later, qOverload<>(&QTimer::start));
  connect(later, &QTimer::timeout, this, &TablePanel::filter_rows);
}

void TablePanel::add_buttons(QVBoxLayout& column) {
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::space(1));
  const auto button = [this, row](const QString& text, const QString& tip, auto act) {
    return add_chip(row, this, text, tip, act);
  };
  compute_ = button(tr("Compute"), tr("Compute the table"), [this] { ask(live::Effort::compute); });
  histogram_button_ = button(tr("Histogram"), tr("Histogram of the chosen column"), [this] { show_histogram(); });
  histogram_button_->setCheckable(true);
  copy_ = button(tr("Copy"), tr("Copy the table (Ctrl+C)"), [this] { copy(); });
  save_ = button(tr("CSV…"), tr("Save the table as CSV"), [this] { ask_and_save(); });
  window_button_ =
      button(tr("Window"), tr("Opens the table in a separate window, with a filter"), [this] { open_window(); });
  if (!own_node_.isEmpty()) histogram_button_->setChecked(true);
  row->addStretch();
  column.addLayout(row);
}

void TablePanel::filter_rows() {
  const QScopedValueRollback choosing(is_choosing_, true);
  const Result<void> filtered = model_->set_filter(filter_->text());
  filter_problem_ = filtered.ok() ? QString() : error_text(filtered.error());
  if (histogram_button_->isChecked()) show_histogram();
  highlight();
  show_state();
}

// The objects of the chosen rows in all views.
void TablePanel::highlight() {
  const int numbers = model_->find("number");
  std::set<int64_t> chosen;
  if (numbers >= 0 && !is_choosing_)
    for (const QItemSelectionRange& range : table_->selectionModel()->selection())
      for (int row = range.top(); row <= range.bottom(); ++row)
        if (const double number = model_->value(row, numbers); std::isfinite(number))
          chosen.insert(std::llround(number));
  if (chosen.empty()) return stop_highlighting();
  LabelView view = state_.label_view();
  view.highlighted = std::move(chosen);
  is_highlighting_ = true;
  state_.set_label_view(view);
}

void TablePanel::stop_highlighting() {
  if (!std::exchange(is_highlighting_, false)) return;
  LabelView view = state_.label_view();
  view.highlighted.clear();
  state_.set_label_view(view);
}

void TablePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  finder_->set_searching(ObjectFinder::Searching::on);
  ask(live::Effort::cached_only);
}
void TablePanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  finder_->set_searching(ObjectFinder::Searching::off);
  stop_highlighting();
}

void TablePanel::follow() {
  const QString node = own_node_.isEmpty() ? state_.node() : own_node_;
  const NodeType* type = find_node_type(source_.graph(), source_.registry(), node.toStdString());
  const QStringList ports = type == nullptr ? QStringList() : table_ports(*type);
  const bool had = has_table();
  if (node != node_ || ports != ports_) {
    node_ = node;
    ports_ = ports;
    stop_highlighting();
    model_->set_columns({});
    known_ = computing_ = false;
    problem_.clear();
    port_->clear();
    port_->addItems(ports_);
    port_->setVisible(ports_.size() > 1);
  }
  show_state();
  if (had != has_table()) Q_EMIT tables_changed();
  if (isVisible()) ask(live::Effort::cached_only);
}

void TablePanel::ask(live::Effort effort) {
  // A request for a cached result would replace one that waits to be computed.
  if (ports_.isEmpty() || (effort == live::Effort::cached_only && (computing_ || !isVisible()))) return;
  if (effort == live::Effort::compute) {
    computing_ = true;
    problem_.clear();
  }
  source_.ask(node_, port_->currentText(), effort);
  show_state();
}

void TablePanel::take(const live::PlainValue& value) {
  if (ports_.isEmpty() || value.node != node_.toStdString() || value.port != port_->currentText().toStdString()) return;
  if (value.known || value.error) computing_ = false;
  problem_ = value.error && value.error->kind != ErrorKind::cancelled ? error_text(*value.error) : QString();
  known_ = value.known;
  if (known_) {
    const QScopedValueRollback choosing(is_choosing_, true);
    model_->set_columns(value.columns);
    table_->resizeColumnsToContents();
    stop_highlighting();
  }
  if (histogram_button_->isChecked()) show_histogram();
  show_state();
}

void TablePanel::show_state() {
  const int rows = model_->rowCount(), all = model_->count_of_all();
  QString text;
  if (!has_table())
    text = tr("No table. Choose a node that measures objects.");
  else if (computing_)
    text = tr("Computing…");
  else if (!problem_.isEmpty())
    text = problem_;
  else if (!filter_problem_.isEmpty())
    text = filter_problem_;
  else if (!known_)
    text = all > 0 ? tr("The table belongs to earlier settings: Compute renews it.") : tr("Not computed yet.");
  else if (rows < all)
    text = tr("%1 of %2 rows").arg(rows).arg(all);
  else
    text = rows == 1 ? tr("1 row") : tr("%1 rows").arg(rows);
  message_->setText(text);
  compute_->setVisible(has_table() && !known_);
  compute_->setEnabled(!computing_);
  for (QToolButton* b : {histogram_button_, copy_, save_}) b->setEnabled(rows > 0);
  window_button_->setVisible(own_node_.isEmpty() && known_);
}

void TablePanel::show_histogram() {
  histogram_->setVisible(histogram_button_->isChecked() && model_->rowCount() > 0);
  if (histogram_->isHidden()) return;
  const int column = std::max(table_->currentIndex().column(), 0);
  histogram_->set_content(histogram_of(*model_, column));
}

void TablePanel::choose_row(int row) {
  const Vec3 place{model_->value(row, model_->find("x")), model_->value(row, model_->find("y")),
                   model_->value(row, model_->find("z"))};
  if (std::isfinite(place.x) && std::isfinite(place.y) && std::isfinite(place.z)) finder_->go_to(place);
}

void TablePanel::choose_number(qint64 number) {
  const int row = model_->row_with(model_->find("number"), static_cast<double>(number));
  if (row < 0) return;
  const QScopedValueRollback choosing(is_choosing_, true);
  const int column = std::max(table_->currentIndex().column(), 0);
  const QModelIndex place = model_->index(row, column);
  table_->setCurrentIndex(place);
  table_->scrollTo(place);
}

bool TablePanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
    copy();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

QString TablePanel::csv() const {
  QStringList names;
  for (const live::PlainColumn& c : model_->all())
    names << (c.unit.empty()
                  ? QString::fromStdString(c.name)
                  : QStringLiteral("%1 [%2]").arg(QString::fromStdString(c.name), QString::fromStdString(c.unit)));
  QString text = names.join(QLatin1Char(',')) + QLatin1Char('\n');
  for (int row = 0; row < model_->rowCount(); ++row) {
    QStringList fields;
    for (int c = 0; c < model_->columnCount(); ++c) fields << exact_text(model_->value(row, c));
    text += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
  }
  return text;
}

void TablePanel::copy() const {
  if (model_->rowCount() > 0) QGuiApplication::clipboard()->setText(csv().replace(QLatin1Char(','), QLatin1Char('\t')));
}

Result<void> TablePanel::save_csv(const QString& path) const {
  return write_export(path, csv().toUtf8(), [this] { return source_.export_rules(); });
}

void TablePanel::ask_and_save() {
  const QString path = ask_for_file(this, {tr("Save the table"), tr("table.csv"), tr("Tables (*.csv)"), {".csv"}});
  if (path.isEmpty()) return;
  if (const Result<void> saved = save_csv(path); !saved.ok())
    QMessageBox::warning(this, tr("Save the table"), error_text(saved.error()));
}

}  // namespace tl::ui
