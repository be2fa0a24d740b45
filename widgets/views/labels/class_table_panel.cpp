// ClassTablePanel: shows the labels on screen; changes of names and colours are undo steps of the node that produces
// the labels.
#include "widgets/views/labels/class_table_panel.h"

#include <QColorDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/values/label_colours.h"
#include "widgets/labels/class_names.h"
#include "widgets/labels/label_colors.h"
#include "widgets/theme/chip_button.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int table_height = 90;

QIcon colour_icon(QColor colour) {
  QPixmap swatch(16, 16);
  swatch.fill(colour);
  return swatch;
}

// The part of the graph that affects results: without names of classes and without its layout.
Graph without_names(Graph graph, const Registry& registry, const QString& node) {
  graph.ui.clear();
  if (const auto param = classes_param(graph, registry, node.toStdString())) set_classes(graph, *param, {});
  return graph;
}

}  // namespace

ClassTablePanel::ClassTablePanel(PictureSource& source, ViewState& state, QWidget* parent)
    : QWidget(parent),
      source_(source),
      state_(state),
      model_(new ClassTableModel(this)),
      counter_(new LabelCounter(source, this)),
      table_(new QTableView),
      message_(new QLabel) {
  build();
  connect(model_, &ClassTableModel::visible_toggled, this, [this](qint64 n) { toggle(&LabelView::hidden, n); });
  connect(model_, &ClassTableModel::locked_toggled, this, [this](qint64 n) { toggle(&LabelView::locked, n); });
  connect(model_, &ClassTableModel::name_entered, this, [this](qint64 number, const QString& name) {
    const LabelTable now = shown_table();
    const LabelClass* old = class_of(now, number);
    LabelClass named = old == nullptr ? LabelClass{number, "", ""} : *old;
    if (QString::fromStdString(named.name) == name) return;
    named.name = name.toStdString();
    change_table(tr("Name a class"), with_class(now, named));
  });
  connect(counter_, &LabelCounter::changed, this, &ClassTablePanel::refresh);
  connect(&state_, &ViewState::outputs_changed, this, [this] {
    counter_->forget();
    counted_graph_ = without_names(source_.graph(), source_.registry(), named_node());
    refresh();
  });
  connect(&state_, &ViewState::label_view_changed, this, &ClassTablePanel::refresh);
  connect(&source_, &PictureSource::infos_changed, this, &ClassTablePanel::refresh);
  connect(&source_, &PictureSource::graph_changed, this, &ClassTablePanel::graph_changed);
  counted_graph_ = without_names(source_.graph(), source_.registry(), named_node());
  refresh();
}

// A name that is still being typed is discarded.
ClassTablePanel::~ClassTablePanel() { model_->disconnect(this); }

void ClassTablePanel::build() {
  auto* column = spaced(new QVBoxLayout(this), 1, {2, 0, 2, 1});
  table_->setModel(model_);
  table_->setAccessibleName(tr("Classes"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  table_->setShowGrid(false);
  table_->setMinimumHeight(table_height);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(ClassTableModel::name_column, QHeaderView::Stretch);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->installEventFilter(this);
  column->addWidget(table_, 1);
  as_note(message_);
  column->addWidget(message_);
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::space(1));
  const auto button = [this, row](const QString& text, const QString& tip, auto act) {
    return add_chip(row, this, text, tip, act);
  };
  count_ = button(tr("Count"), tr("Count the voxels of all classes"), [this] { counter_->count(state_.labels()); });
  add_ = button(tr("Add"), tr("Add a class (+)"), [this] { add_class(); });
  remove_ = button(tr("Remove"), tr("Remove the chosen class (Del)"), [this] { remove_class(); });
  colour_ = button(tr("Colour…"), tr("Choose the colour of the chosen class (C)"),
                   [this] { choose_colour(state_.label_view().current); });
  row->addStretch();
  column->addLayout(row);
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (index.column() == ClassTableModel::number_column) choose_colour(model_->number_of(index.row()));
  });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
    if (index.isValid()) choose(model_->number_of(index.row()));
  });
}

LabelTable ClassTablePanel::shown_table() const {
  const Info* info = state_.labels().empty() ? nullptr : source_.info(state_.labels());
  const auto* labels = info == nullptr ? nullptr : std::get_if<LabelsInfo>(info);
  return labels == nullptr ? LabelTable{} : labels->table;
}

// Classes found from strokes have the names of the strokes.
QString ClassTablePanel::named_node() const {
  return (state_.strokes().empty() ? state_.labels() : state_.strokes()).node;
}

bool ClassTablePanel::can_name() const {
  return !state_.labels().empty() &&
         classes_param(source_.graph(), source_.registry(), named_node().toStdString()).has_value();
}

QString ClassTablePanel::message() const { return message_->text(); }

void ClassTablePanel::refresh() {
  const bool is_there = !state_.labels().empty(), names = can_name();
  using Naming = ClassTableModel::Naming;
  {
    // The selection is that of the view, not vice versa.
    const QSignalBlocker quiet(table_->selectionModel());
    model_->set(shown_table(), state_.label_view(), counter_->counts(), names ? Naming::editable : Naming::read_only);
  }
  show_current();
  QString text;
  if (!is_there)
    text = tr("No labels on screen. Choose a node that makes some.");
  else if (counter_->is_counting())
    text = tr("Counting…");
  else if (!counter_->problem().isEmpty())
    text = counter_->problem();
  else if (model_->rowCount() == 0)
    text = tr("No class is named: Count finds the numbers.");
  else if (model_->is_cut_off())
    text = tr("The first %1 of %2 numbers.").arg(model_->rowCount()).arg(counter_->counts()->voxels.size());
  else if (!names)
    text = shown_table().classes.empty() ? tr("Numbers of objects, or of a file, have no names here.")
                                         : tr("The names come from the file that this node reads: change them there.");
  message_->setText(text);
  message_->setVisible(!text.isEmpty());
  count_->setEnabled(is_there && !counter_->is_counting());
  add_->setEnabled(names);
  remove_->setEnabled(names && class_of(shown_table(), state_.label_view().current) != nullptr);
  colour_->setEnabled(names && model_->row_of(state_.label_view().current) >= 0);
}

void ClassTablePanel::graph_changed() {
  Graph now = without_names(source_.graph(), source_.registry(), named_node());
  if (!(now.nodes == counted_graph_.nodes) || !(now.links == counted_graph_.links)) {
    counted_graph_ = std::move(now);
    counter_->forget();
  }
  refresh();
}

void ClassTablePanel::show_current() {
  const int row = model_->row_of(state_.label_view().current);
  const QSignalBlocker quiet(table_->selectionModel());
  if (row < 0)
    table_->clearSelection();
  else
    table_->selectRow(row);
  table_->viewport()->update();
}

void ClassTablePanel::choose(int64_t number) {
  LabelView view = state_.label_view();
  view.current = number;
  state_.set_label_view(view);
}

void ClassTablePanel::toggle(std::set<int64_t> LabelView::*set, int64_t number) {
  LabelView view = state_.label_view();
  if ((view.*set).erase(number) == 0) (view.*set).insert(number);
  state_.set_label_view(view);
}

void ClassTablePanel::change_table(const QString& step, const LabelTable& table) {
  const auto param = classes_param(source_.graph(), source_.registry(), named_node().toStdString());
  if (!param) return;
  source_.edit_graph(step, [&](Graph& graph) { set_classes(graph, *param, table); });
}

void ClassTablePanel::set_colour(int64_t number, const QColor& colour) {
  const LabelTable now = shown_table();
  const LabelClass* old = class_of(now, number);
  LabelClass changed = old == nullptr ? LabelClass{number, "", ""} : *old;
  changed.colour = colour.name().toStdString();
  change_table(tr("Colour a class"), with_class(now, changed));
}

void ClassTablePanel::choose_colour(int64_t number) {
  const int row = model_->row_of(number);
  if (!can_name() || row < 0) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  constexpr int64_t offered = 14;  // seven colours that are easy to distinguish, and lighter ones
  for (int64_t n = 1; n <= offered; ++n) {
    const QColor colour = QColor::fromRgb(label_rgb({}, n));
    connect(menu->addAction(colour_icon(colour), colour.name()), &QAction::triggered, this,
            [this, number, colour] { set_colour(number, colour); });
  }
  menu->addSeparator();
  connect(menu->addAction(tr("Other colour…")), &QAction::triggered, this, [this, number] {
    const QColor now = QColor::fromRgb(label_rgb(shown_table(), number));
    const QColor colour = QColorDialog::getColor(now, this, tr("Colour of a class"));
    if (colour.isValid()) set_colour(number, colour);
  });
  const QRect cell = table_->visualRect(model_->index(row, ClassTableModel::number_column));
  menu->popup(table_->viewport()->mapToGlobal(cell.bottomLeft()));
}

void ClassTablePanel::add_class() {
  LabelTable now = shown_table();
  // Counted numbers already have rows; the new class gets the first number without a name.
  const int64_t number = next_free_number(now);
  const LabelClass added{number, tr("class %1").arg(number).toStdString(), colour_text(label_colour({}, number))};
  change_table(tr("Add a class"), with_class(std::move(now), added));
  choose(number);
}

void ClassTablePanel::remove_class() {
  const int64_t number = state_.label_view().current;
  const LabelTable now = shown_table();
  if (class_of(now, number) != nullptr) change_table(tr("Remove a class"), without_class(now, number));
}

bool ClassTablePanel::take_key(int key, const QString& text) {
  if (key >= Qt::Key_1 && key <= Qt::Key_9) {
    choose(key - Qt::Key_0);
    return true;
  }
  const int64_t current = state_.label_view().current;
  const bool has_row = model_->row_of(current) >= 0;
  if (text == QLatin1String("+")) {
    if (can_name()) add_class();
    return true;
  }
  if (key == Qt::Key_Delete) {
    if (can_name()) remove_class();
    return true;
  }
  if (key == Qt::Key_C && has_row) {
    choose_colour(current);
    return true;
  }
  if (key == Qt::Key_Space && has_row) {
    toggle(&LabelView::hidden, current);
    return true;
  }
  if (key == Qt::Key_F2 && has_row && can_name()) {
    table_->edit(model_->index(model_->row_of(current), ClassTableModel::name_column));
    return true;
  }
  return false;
}

bool ClassTablePanel::eventFilter(QObject* watched, QEvent* event) {
  const auto is = [event](QEvent::Type type) { return event->type() == type; };
  if (!is(QEvent::KeyPress) && !is(QEvent::ShortcutOverride)) return QWidget::eventFilter(watched, event);
  const auto& press = *static_cast<QKeyEvent*>(event);
  if ((press.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) != 0) return false;
  const int key = press.key();
  const bool is_own = (key >= Qt::Key_1 && key <= Qt::Key_9) || press.text() == QLatin1String("+") ||
                      key == Qt::Key_Delete || key == Qt::Key_C || key == Qt::Key_Space || key == Qt::Key_F2;
  if (!is_own) return QWidget::eventFilter(watched, event);
  if (is(QEvent::ShortcutOverride)) {
    event->accept();  // these keys have other meanings in the window
    return true;
  }
  return take_key(key, press.text());
}

}  // namespace tl::ui
