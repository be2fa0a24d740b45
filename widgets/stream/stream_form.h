// StreamForm: where frames come from: address, kind of socket, which end waits; with the addresses of before.
#pragma once

#include <QStringList>
#include <QWidget>

#include "widgets/session/stream_session.h"

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace tl::ui {

class StreamForm final : public QWidget {
  Q_OBJECT
 public:
  explicit StreamForm(StreamSession& session, QWidget* parent = nullptr);
  [[nodiscard]] StreamChoice choice() const;
  void set_choice(const StreamChoice& choice);
  void set_addresses(const QStringList& newest_first);  // offered in the list
  void focus_address();

 Q_SIGNALS:
  void open_wanted();  // Return in the address

 private:
  void refresh();
  void take_windows();
  StreamSession& session_;
  QComboBox *address_, *socket_;
  QCheckBox* waits_;
  QSpinBox *length_, *hop_;
};

}  // namespace tl::ui
