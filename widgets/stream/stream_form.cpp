// StreamForm: fields of an address, which are disabled while it is open.
#include "widgets/stream/stream_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>

#include "widgets/theme/compact_form.h"

namespace tl::ui {

StreamForm::StreamForm(StreamSession& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      address_(new QComboBox(this)),
      socket_(new QComboBox(this)),
      waits_(new QCheckBox(tr("Wait here for the sender"), this)),
      length_(new QSpinBox(this)),
      hop_(new QSpinBox(this)) {
  auto* rows = new QFormLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  set_up_compact_form(*rows);
  address_->setEditable(true);
  address_->setInsertPolicy(QComboBox::NoInsert);
  address_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  address_->setAccessibleName(tr("Address"));
  address_->lineEdit()->setAccessibleName(tr("Address"));
  address_->lineEdit()->setPlaceholderText(QStringLiteral("tcp://127.0.0.1:5558"));
  address_->setToolTip(tr("Where frames come from, in the form of ZeroMQ. Return connects."));
  using enum stream::ReceiverSocket;
  socket_->addItem(tr("PUSH: the sender waits"), static_cast<int>(pull));
  socket_->addItem(tr("PUB: frames are lost"), static_cast<int>(subscribe));
  socket_->addItem(tr("REQ: each is answered"), static_cast<int>(reply));
  socket_->setAccessibleName(tr("Sender"));
  socket_->setToolTip(tr("The sender's kind of socket, and what happens when this computer is too slow."));
  waits_->setToolTip(tr("The sender connects to this address; otherwise the sender waits there."));
  rows->addRow(tr("Address"), address_);
  rows->addRow(tr("Sender"), socket_);
  rows->addRow(QString(), waits_);
  constexpr int max_window = 100'000;
  length_->setRange(2, max_window);
  length_->setSuffix(tr(" views"));
  length_->setAccessibleName(tr("Window"));
  length_->setToolTip(tr("So many views are reconstructed together, for example those of half a turn."));
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
  connect(&session_, &StreamSession::state_changed, this, &StreamForm::refresh);
  refresh();
}

// A hop above the window would leave views out.
void StreamForm::take_windows() {
  hop_->setMaximum(length_->value());
  session_.set_windows({length_->value(), hop_->value()});
}

StreamChoice StreamForm::choice() const {
  return {address_->currentText().trimmed(), static_cast<stream::ReceiverSocket>(socket_->currentData().toInt()),
          waits_->isChecked() ? stream::SocketEnd::binds : stream::SocketEnd::connects};
}

void StreamForm::set_choice(const StreamChoice& choice) {
  address_->setEditText(choice.address);
  socket_->setCurrentIndex(socket_->findData(static_cast<int>(choice.socket)));
  waits_->setChecked(choice.end == stream::SocketEnd::binds);
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
  length_->setValue(static_cast<int>(session_.windows().length));
  hop_->setMaximum(length_->value());
  hop_->setValue(static_cast<int>(session_.windows().hop));
  for (QWidget* field :
       {static_cast<QWidget*>(address_), static_cast<QWidget*>(socket_), static_cast<QWidget*>(waits_)})
    field->setEnabled(!session_.is_open() && !session_.is_ending());
  if (session_.is_open()) address_->lineEdit()->setCursorPosition(0);  // its beginning is visible
}

}  // namespace tl::ui
