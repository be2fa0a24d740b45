// StreamForm: fields of addresses, which are disabled while they are open, and of triggers of records.
#include "widgets/stream/stream_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/jobs/job_page.h"
#include "widgets/language/translated.h"
#include "widgets/theme/compact_form.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

Result<void> check_trigger(const std::string& text) {
  TL_TRY(stream::Trigger::parse(text));
  return ok();
}

}  // namespace

StreamForm::StreamForm(StreamSession& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      address_(new QComboBox(this)),
      socket_(new QComboBox(this)),
      waits_(new QCheckBox(tr("Wait here for the sender"), this)),
      length_(new QSpinBox(this)),
      hop_(new QSpinBox(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Theme::space(1));
  add_source();
  add_record_fields();
  add_plane_fields();
  connect(&session_, &StreamSession::state_changed, this, &StreamForm::refresh);
  refresh();
}

void StreamForm::add_source() {
  auto* rows = new QFormLayout;
  static_cast<QVBoxLayout*>(layout())->addLayout(rows);
  set_up_compact_form(*rows);
  address_->setEditable(true);
  address_->setInsertPolicy(QComboBox::NoInsert);
  address_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  address_->setAccessibleName(tr("Address"));
  address_->lineEdit()->setAccessibleName(tr("Address"));
  address_->lineEdit()->setPlaceholderText(QStringLiteral("tcp://127.0.0.1:5558"));
  address_->setToolTip(tr("Address of the sender of frames, in the form of ZeroMQ. Return connects."));
  using enum stream::ReceiverSocket;
  socket_->addItem(tr("PUSH: the sender waits"), static_cast<int>(pull));
  socket_->addItem(tr("PUB: frames are lost"), static_cast<int>(subscribe));
  socket_->addItem(tr("REQ: each is answered"), static_cast<int>(reply));
  socket_->setAccessibleName(tr("Sender"));
  socket_->setToolTip(tr("Socket type of the sender, and what happens if this computer is too slow."));
  waits_->setToolTip(tr("The senders of frames and of the log connect to these addresses; otherwise they wait there."));
  rows->addRow(tr("Address"), address_);
  rows->addRow(tr("Sender"), socket_);
  rows->addRow(QString(), waits_);
  constexpr int max_window = 100'000;
  length_->setRange(2, max_window);
  length_->setSuffix(tr(" views"));
  length_->setAccessibleName(tr("Window"));
  length_->setToolTip(tr("Number of views that are reconstructed together, for example the views of half a turn."));
  hop_->setRange(1, max_window);
  hop_->setPrefix(tr("every "));
  hop_->setAccessibleName(tr("Hop"));
  hop_->setToolTip(tr("A new window is shown whenever so many more views have come."));
  for (QSpinBox* box : {length_, hop_}) {
    box->setKeyboardTracking(false);
    connect(box, &QSpinBox::valueChanged, this, &StreamForm::take_windows);
  }
  auto* window = new QHBoxLayout;
  window->addWidget(length_, 1);
  window->addWidget(hop_, 1);
  rows->addRow(tr("Window"), window);
  connect(address_->lineEdit(), &QLineEdit::returnPressed, this, &StreamForm::open_wanted);
}

void StreamForm::add_record_fields() {
  QFormLayout* rows = add_section(tr("Log and trigger"));
  log_ = add_text(*rows, tr("Log"), QStringLiteral("tcp://127.0.0.1:5559"),
                  tr("Address of the sender of sample values during the scan, such as temperature, load or ring "
                     "current: lines {\"time\",\"name\",\"value\",\"unit\"} of a PUSH socket, with the time in seconds "
                     "since 1970. They are plotted and recorded. Empty: there is no log."),
                  stream::check_address);
  trigger_ =
      add_text(*rows, tr("Trigger"), QStringLiteral("load > 5"),
               tr("A record begins when this condition is fulfilled: a name of the log or of headers of frames, one of "
                  "<, <=, >, >=, ==, !=, and a number in the unit of the sender. Empty: it begins at once."),
               check_trigger);
  constexpr double max_seconds = 1e6;
  before_ = new QDoubleSpinBox(this);
  before_->setRange(0, max_seconds);
  before_->setDecimals(1);
  before_->setSuffix(tr(" s"));
  before_->setAccessibleName(tr("Before"));
  before_->setToolTip(
      tr("So many seconds of views before the record begins are in it as well, as far as they are in "
         "memory. Flats and darks of before always are."));
  rows->addRow(tr("Before"), before_);
}

void StreamForm::add_plane_fields() {
  QFormLayout* rows = add_section(tr("Slices for other programs"));
  send_ = add_text(*rows, tr("Send"), QStringLiteral("tcp://127.0.0.1:5560"),
                   tr("Other programs subscribe here to the slices of the panes, each as float32 in the unit of its "
                      "pane. Volumes are not sent. Empty: nothing is sent."),
                   stream::check_address);
  plugin_ = add_text(*rows, tr("Plug-in"), QStringLiteral("tcp://127.0.0.1:5652"),
                     tr("Address at which a plug-in of RECAST3D receives slices. Its results are sent instead of the "
                        "slices. Empty: there is none."),
                     stream::check_address);
  plugin_back_ =
      add_text(*rows, tr("Results"), QString::fromStdString(stream::PlaneLinkOptions().plugin_back),
               tr("Address at which the slices changed by the plug-in are received. Empty: at the address shown."),
               stream::check_address);
}

QFormLayout* StreamForm::add_section(const QString& title) {
  auto* body = new QWidget(this);
  section_ = add_fold(*static_cast<QVBoxLayout*>(layout()), title, body);
  auto* rows = new QFormLayout(body);
  set_up_compact_form(*rows);
  return rows;
}

QLineEdit* StreamForm::add_text(QFormLayout& rows, const QString& title, const QString& example, const QString& help,
                                const std::function<Result<void>(const std::string&)>& check) {
  auto* line = new QLineEdit(this);
  line->setPlaceholderText(example);
  line->setAccessibleName(title);
  line->setToolTip(help);
  auto* problem = new QLabel(this);
  problem->setProperty("tone", "error");
  problem->setWordWrap(true);
  problem->hide();
  // In one field: if a row of a QFormLayout is hidden and wrapped, Qt 6.4 writes beyond its own memory.
  auto* both = new QWidget(this);
  auto* column = spaced(new QVBoxLayout(both), 1);
  column->addWidget(line);
  column->addWidget(problem);
  rows.addRow(title, both);
  const TextField& field = fields_.emplace_back(TextField{line, problem, section_, check});
  // While the user types, only a field with an error is checked again.
  connect(line, &QLineEdit::textChanged, this, [field] {
    if (!field.problem->isHidden()) show_problem(field);
  });
  connect(line, &QLineEdit::editingFinished, this, [field] { show_problem(field); });
  return line;
}

bool StreamForm::show_problem(const TextField& field) {
  const QString text = field.line->text().trimmed();
  const Result<void> checked = text.isEmpty() ? ok() : field.check(text.toStdString());
  if (!checked.ok()) field.problem->setText(translated(checked.error()));
  field.problem->setVisible(!checked.ok());
  set_style_property(*field.line, "invalid", !checked.ok());
  return checked.ok();
}

bool StreamForm::is_valid() {
  const TextField* first = nullptr;
  for (const TextField& field : fields_)
    if (!show_problem(field) && first == nullptr) first = &field;
  if (first == nullptr) return true;
  first->section->setChecked(true);
  first->line->setFocus(Qt::OtherFocusReason);
  return false;
}

// A hop above the window would leave views out.
void StreamForm::take_windows() {
  hop_->setMaximum(length_->value());
  session_.set_windows({length_->value(), hop_->value()});
}

StreamChoice StreamForm::choice() const {
  StreamChoice choice{address_->currentText().trimmed(),
                      static_cast<stream::ReceiverSocket>(socket_->currentData().toInt()),
                      waits_->isChecked() ? stream::SocketEnd::binds : stream::SocketEnd::connects};
  choice.log = log_->text().trimmed();
  choice.send = send_->text().trimmed();
  choice.plugin = plugin_->text().trimmed();
  choice.plugin_back = plugin_back_->text().trimmed();
  choice.trigger = trigger_->text().trimmed();
  choice.before = before_->value();
  return choice;
}

void StreamForm::set_choice(const StreamChoice& choice) {
  address_->setEditText(choice.address);
  socket_->setCurrentIndex(socket_->findData(static_cast<int>(choice.socket)));
  waits_->setChecked(choice.end == stream::SocketEnd::binds);
  log_->setText(choice.log);
  send_->setText(choice.send);
  plugin_->setText(choice.plugin);
  plugin_back_->setText(choice.plugin_back);
  trigger_->setText(choice.trigger);
  before_->setValue(choice.before);
  for (const TextField& field : fields_)
    if (!field.line->text().isEmpty()) field.section->setChecked(true);
}

stream::RecordStart StreamForm::record_start() const {
  stream::RecordStart start;
  const Result<stream::Trigger> trigger = stream::Trigger::parse(trigger_->text().toStdString());
  if (trigger.ok()) start.trigger = trigger.value();
  start.before = before_->value();
  return start;
}

void StreamForm::set_addresses(const QStringList& newest_first) {
  const QSignalBlocker quiet(address_);
  const QString typed = address_->currentText();
  address_->clear();
  address_->addItems(newest_first);
  address_->setEditText(typed);
}

void StreamForm::focus_address() {
  address_->setFocus(Qt::ShortcutFocusReason);
  address_->lineEdit()->selectAll();
}

void StreamForm::refresh() {
  const QSignalBlocker quiet_length(length_), quiet_hop(hop_);
  const int length = static_cast<int>(session_.windows().length), hop = static_cast<int>(session_.windows().hop);
  // Frames arrive at any time: setting the same value again would delete what the user is typing.
  if (length_->value() != length) length_->setValue(length);
  if (hop_->maximum() != length) hop_->setMaximum(length);
  if (hop_->value() != hop) hop_->setValue(hop);
  const std::vector<QWidget*> of_connection = {address_, socket_, waits_, log_, send_, plugin_, plugin_back_};
  for (QWidget* field : of_connection) field->setEnabled(!session_.is_open() && !session_.is_ending());
  trigger_->setEnabled(!session_.is_recording() && !session_.is_ending());
  before_->setEnabled(trigger_->isEnabled());
  if (session_.is_open()) address_->lineEdit()->setCursorPosition(0);  // its beginning is visible
}

}  // namespace tl::ui
