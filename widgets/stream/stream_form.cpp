// StreamForm: fields of an address, which are disabled while it is open.
#include "widgets/stream/stream_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSignalBlocker>

#include "widgets/theme/compact_form.h"

namespace tl::ui {

StreamForm::StreamForm(StreamSession& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      address_(new QComboBox(this)),
      socket_(new QComboBox(this)),
      waits_(new QCheckBox(tr("Wait here for the sender"), this)) {
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
  connect(address_->lineEdit(), &QLineEdit::returnPressed, this, &StreamForm::open_wanted);
  connect(&session_, &StreamSession::state_changed, this, &StreamForm::refresh);
  refresh();
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
  for (QWidget* field :
       {static_cast<QWidget*>(address_), static_cast<QWidget*>(socket_), static_cast<QWidget*>(waits_)})
    field->setEnabled(!session_.is_open() && !session_.is_ending());
}

}  // namespace tl::ui
