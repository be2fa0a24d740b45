// TrustButton: asks whether a program may run on this machine, and then marks it as trusted.
#pragma once

#include <QPushButton>

#include "widgets/session/live_session.h"

namespace tl::ui {

class TrustButton final : public QPushButton {
  Q_OBJECT
 public:
  TrustButton(LiveSession& session, QWidget* parent);
  void set_program(const QString& file) { file_ = file; }

 private:
  void ask();
  void trust(const QString& program);
  LiveSession& session_;
  QString file_;
};

}  // namespace tl::ui
