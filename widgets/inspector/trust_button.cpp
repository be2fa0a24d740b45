// TrustButton: the question explains what trust means, and Enter does not answer it; another thread copies the program.
#include "widgets/inspector/trust_button.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>
#include <QThreadPool>

#include "core/net/script/trusted_programs.h"
#include "widgets/text/error_text.h"

namespace tl::ui {

TrustButton::TrustButton(LiveSession& session, QWidget* parent)
    : QPushButton(tr("Trust this program…"), parent), session_(session) {
  setToolTip(tr("Let this network, which is a program, run on this machine."));
  connect(this, &QPushButton::clicked, this, &TrustButton::ask);
}

void TrustButton::ask() {
  const QString file = file_;  // another file may be set while the question is open
  QMessageBox box(QMessageBox::NoIcon, tr("Trust a program"), tr("Trust %1?").arg(QFileInfo(file).fileName()),
                  QMessageBox::NoButton, window());
  box.setTextFormat(Qt::PlainText);  // names come from an untrusted file
  box.setInformativeText(tr(net::meaning_of_trust) + QStringLiteral("\n\n") + QDir::toNativeSeparators(file));
  QPushButton* accept = box.addButton(tr("Trust"), QMessageBox::AcceptRole);
  box.addButton(QMessageBox::Cancel);
  box.setDefaultButton(QMessageBox::Cancel);
  box.setEscapeButton(QMessageBox::Cancel);
  box.exec();
  if (box.clickedButton() == accept) trust(file);
}

void TrustButton::trust(const QString& program) {
  setEnabled(false);
  QThreadPool::globalInstance()->start([guard = QPointer(this), file = program.toStdString()] {
    const auto copy = net::trust_program(file);
    QMetaObject::invokeMethod(
        qApp,
        [guard, problem = copy.ok() ? QString() : error_text(copy.error())] {
          if (guard == nullptr) return;
          guard->setEnabled(true);
          // The node is checked again, and computed if it is shown.
          guard->session_.show_pipeline();
          if (!problem.isEmpty()) QMessageBox::warning(guard->window(), tr("Trust a program"), problem);
        },
        Qt::QueuedConnection);
  });
}

}  // namespace tl::ui
