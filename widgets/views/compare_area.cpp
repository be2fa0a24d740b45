// CompareArea: compares two results, or two values of one parameter: a bar of choices above two panes.
#include "widgets/views/compare_area.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/language/translated.h"
#include "widgets/theme/layouts.h"
#include "widgets/views/pictures/output_finder.h"
#include "widgets/views/result_text.h"
#include "widgets/views/value_chooser.h"
#include "widgets/views/variant_source.h"

namespace tl::ui {
namespace {

const QString other_value = QStringLiteral("other value");

QString label_text(const PictureSource& source, const Output& output) {
  return node_name(source, output.node) + QStringLiteral(" · ") + output.port;
}
Output output_of(const QString& key) { return {key.section(QLatin1Char('.'), 0, 0), key.section(QLatin1Char('.'), 1)}; }

void select(QComboBox& box, const QString& data) {
  const int at = box.findData(data);
  if (at >= 0) box.setCurrentIndex(at);
}

}  // namespace

CompareArea::CompareArea(PictureSource& source, ViewState& state, live::EngineOptions options, QWidget* parent)
    : QWidget(parent), source_(source), state_(state), options_(std::move(options)) {
  auto* column = spaced(new QVBoxLayout(this), 0);
  column->addWidget(make_bar());
  panes_ = new QSplitter(Qt::Horizontal);
  panes_->setChildrenCollapsible(false);
  panes_->setHandleWidth(2);
  column->addWidget(panes_, 1);
  left_ = new ComparePane(source_, state_, QStringLiteral("compare.a"), QStringLiteral("A"));
  panes_->addWidget(left_);
  left_->installEventFilter(this);
  make_right(source_);
  connect(&source_, &PictureSource::graph_changed, this, [this] {
    fill_choices();
    if (!shows_choice()) choose();  // a result no longer exists, or the first one has appeared
    caption_sides();
  });
  connect(&source_, &PictureSource::status_changed, this, &CompareArea::caption_sides);
  fill_choices();
  choose();
}
CompareArea::~CompareArea() {
  disconnect(value_, nullptr, this, nullptr);  // destroying its line would otherwise emit a value
  // Panes call forget() of their sources when destroyed, so they are deleted first.
  delete left_;
  delete right_;
}

QWidget* CompareArea::make_bar() {
  auto* bar = new QWidget;
  auto* rows = spaced(new QVBoxLayout(bar), 1, {2, 1, 2, 1});
  auto* row = new QHBoxLayout;
  auto* buttons = new QHBoxLayout;
  row->setSpacing(Theme::space(2));
  buttons->setSpacing(Theme::space(1));
  rows->addLayout(row);
  rows->addLayout(buttons);
  // As wide as the available space, but no wider than names are.
  const auto choice = [row](const QString& label, const QString& name, int min_letters) {
    constexpr int widest = 280;  // px
    if (!label.isEmpty()) row->addWidget(new QLabel(label));
    auto* box = new QComboBox;
    box->setAccessibleName(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(min_letters);
    box->setMaximumWidth(widest);
    row->addWidget(box, 1);
    return box;
  };
  a_ = choice(QStringLiteral("A"), tr("Result A"), 12);
  b_ = choice(QStringLiteral("B"), tr("Result B"), 12);
  param_ = choice({}, tr("Parameter that differs in B"), 14);
  value_ = new ValueChooser;
  problem_ = new QLabel;
  problem_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  row->addWidget(value_);
  row->addStretch();
  modes_ = new QButtonGroup(this);
  for (const CompareMode mode : all_compare_modes()) {
    auto* button = new QToolButton;
    button->setText(compare_mode_name(mode));
    button->setAccessibleName(compare_mode_name(mode));
    button->setCheckable(true);
    button->setProperty("role", "tab");
    button->setChecked(mode == mode_);
    modes_->addButton(button, static_cast<int>(mode));
    buttons->addWidget(button);
  }
  buttons->addWidget(problem_, 1);
  connect(modes_, &QButtonGroup::idClicked, this, [this](int id) { set_mode(static_cast<CompareMode>(id)); });
  connect(a_, &QComboBox::activated, this, [this] {
    fill_parameters();
    choose();
  });
  connect(b_, &QComboBox::activated, this, &CompareArea::choose);
  connect(param_, &QComboBox::activated, this, [this] {
    ask_value();
    value_->setFocus();
  });
  connect(value_, &ValueChooser::entered, this, &CompareArea::choose);
  return bar;
}

void CompareArea::make_right(PictureSource& source) {
  delete right_;
  right_ = new ComparePane(source, state_, QStringLiteral("compare.b"), QStringLiteral("B"));
  right_->set_needed_by_partner();
  right_->installEventFilter(this);
  right_->set_partner(left_);
  left_->set_partner(right_);
  panes_->addWidget(right_);
  panes_->setSizes({500, 500});
  set_mode(mode_);
}

void CompareArea::set_mode(CompareMode mode) {
  mode_ = mode;
  modes_->button(static_cast<int>(mode))->setChecked(true);
  right_->setVisible(mode == CompareMode::side_by_side);
  left_->set_mode(mode);
  right_->refresh();
  Q_EMIT active_changed();
}

bool CompareArea::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusIn && (watched == left_ || watched == right_)) {
    active_ = watched == right_ ? Side::right : Side::left;
    Q_EMIT active_changed();
  }
  return QWidget::eventFilter(watched, event);
}

bool CompareArea::shows_choice() const {
  const Output a = a_->count() == 0 ? Output{} : output_of(a_->currentData().toString());
  const QString b = b_->currentData().toString();
  const Output by_value = variant_ == nullptr ? Output{} : a;
  return left_->output() == a && right_->output() == (b == other_value ? by_value : output_of(b));
}

void CompareArea::drop_variant() {
  if (variant_ == nullptr) return;
  make_right(source_);
  delete variant_;
  variant_ = nullptr;
}

// All volumes of the graph, and for B also A with another value of a parameter.
void CompareArea::fill_choices() {
  const QString a = a_->currentData().toString(), b = b_->currentData().toString();
  const QSignalBlocker quiet_a(a_), quiet_b(b_);
  a_->clear();
  b_->clear();
  b_->addItem(tr("Another value"), other_value);
  for (const Output& output : all_volumes(source_.graph(), source_.registry())) {
    a_->addItem(label_text(source_, output), output.key());
    b_->addItem(label_text(source_, output), output.key());
  }
  select(*a_, a.isEmpty() ? state_.volume().key() : a);
  select(*b_, b);
  fill_parameters();
}

// Parameters of A's node and of the nodes upstream.
void CompareArea::fill_parameters() {
  const QString before = param_->currentData().toString();
  const QSignalBlocker quiet(param_);
  param_->clear();
  const QString node = a_->currentData().toString().section(QLatin1Char('.'), 0, 0);
  for (const std::string& id : upstream_nodes(source_.graph(), node.toStdString())) {
    const NodeType* type = source_.registry().find(source_.graph().nodes.at(id).type);
    if (type == nullptr) continue;
    const QString name = node_name(source_, QString::fromStdString(id));
    for (const ParamDecl& param : type->params) {
      if (param.path != PathRole::none || source_.graph().link_into(id, param.name) != nullptr) continue;
      const QString key = QString::fromStdString(id + "." + param.name);
      param_->addItem(name + QStringLiteral(" · ") + translated(param.title), key);
    }
  }
  select(*param_, before);
  const QString value = value_->value();
  ask_value();
  if (param_->currentData().toString() == before) value_->set_value(value);
}

// Lets the user enter another value than the parameter's value in A, which is shown as an example of the format.
void CompareArea::ask_value() {
  const Output param = output_of(param_->currentData().toString());
  value_->set_parameter(declaration_of(source_, param), value_in(source_, param));
}

// Captions name both results, so that screenshots are self-explanatory.
void CompareArea::caption_sides() {
  const auto say = [this](ComparePane& pane, const QString& side, const PictureSource& source) {
    const Output output = pane.output();
    QStringList words{side};
    if (!output.empty()) words << node_name(source, output.node);
    if (!output.empty() && variant_ != nullptr) words << setting_text(source, output, variant_->changed());
    words.removeAll(QString());
    pane.set_name(words.join(QStringLiteral(" · ")));
  };
  say(*left_, QStringLiteral("A"), source_);
  say(*right_, QStringLiteral("B"), variant_ == nullptr ? source_ : *variant_);
}

void CompareArea::choose() {
  const QString b = b_->currentData().toString();
  const bool by_value = b == other_value;
  param_->setVisible(by_value);
  value_->setVisible(by_value);
  problem_->clear();
  if (a_->count() == 0) {
    drop_variant();
    left_->set_outputs({}, {});
    right_->set_outputs({}, {});
    caption_sides();
    Q_EMIT active_changed();
    return;
  }
  const Output a = output_of(a_->currentData().toString());
  if (!by_value) {
    compare_outputs(a, output_of(b));
    return;
  }
  left_->set_outputs(a, a);
  if (variant_ == nullptr) right_->set_outputs({}, a);
  caption_sides();
  if (value_->value().isEmpty() || param_->count() == 0) return;
  const Output param = output_of(param_->currentData().toString());
  const auto done = compare_value(a, param.node, param.port, value_->value());
  if (done.ok()) return;
  problem_->setText(translated(done.error().what));
  problem_->setToolTip(problem_->text());
}

void CompareArea::compare_outputs(const Output& a, const Output& b) {
  drop_variant();
  show_choice(a, b.key());
  left_->set_outputs(a, a);
  right_->set_outputs(b, a);
  caption_sides();
  Q_EMIT active_changed();
}

void CompareArea::show_choice(const Output& a, const QString& b) {
  const QSignalBlocker quiet_a(a_), quiet_b(b_);
  select(*a_, a.key());
  select(*b_, b);
  fill_parameters();
  param_->setVisible(b == other_value);
  value_->setVisible(b == other_value);
}

// Updates the bar for a comparison that was started from elsewhere.
void CompareArea::show_value(const Output& param, const QString& value) {
  fill_parameters();
  const QSignalBlocker quiet(param_);
  select(*param_, param.key());
  ask_value();
  value_->set_value(value);
}

Result<void> CompareArea::compare_value(const Output& a, const QString& node, const QString& param,
                                        const QString& value) {
  const bool is_new = variant_ == nullptr;
  auto made = is_new ? std::make_unique<VariantSource>(source_, options_) : nullptr;
  VariantSource& variant = is_new ? *made : *variant_;
  TL_TRY(variant.set(node, param, value));
  if (is_new) {
    variant_ = made.release();
    variant_->setParent(this);
    make_right(*variant_);
  }
  show_choice(a, other_value);
  left_->set_outputs(a, a);
  right_->set_outputs(a, a);
  show_value({node, param}, value);
  caption_sides();
  return ok();
}

}  // namespace tl::ui
