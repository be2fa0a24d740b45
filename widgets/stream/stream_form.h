// StreamForm: the connections of a live scan: source of frames, log, trigger of a record, receivers of planes.
#pragma once

#include <QStringList>
#include <QWidget>
#include <functional>
#include <vector>

#include "widgets/session/stream_session.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace tl::ui {

class StreamForm final : public QWidget {
  Q_OBJECT
 public:
  explicit StreamForm(StreamSession& session, QWidget* parent = nullptr);
  [[nodiscard]] StreamChoice choice() const;
  // Opens the sections with a non-empty field.
  void set_choice(const StreamChoice& choice);
  [[nodiscard]] stream::RecordStart record_start() const;  // if is_valid()
  void set_addresses(const QStringList& newest_first);     // offered in the list
  void focus_address();
  // Whether every field is valid. If not, the first invalid one gets the keyboard focus; each shows its error below.
  bool is_valid();

 Q_SIGNALS:
  void open_wanted();  // Return in the address

 private:
  // A line whose text is optional, with its error below.
  struct TextField {
    QLineEdit* line;
    QLabel* problem;
    QToolButton* section;
    std::function<Result<void>(const std::string&)> check;
  };
  QFormLayout* add_section(const QString& title);
  QLineEdit* add_text(QFormLayout& rows, const QString& title, const QString& example, const QString& help,
                      const std::function<Result<void>(const std::string&)>& check);
  void add_source();
  void add_record_fields();
  void add_plane_fields();
  static bool show_problem(const TextField& field);
  void refresh();
  void take_windows();
  StreamSession& session_;
  QComboBox *address_, *socket_;
  QCheckBox* waits_;
  QSpinBox *length_, *hop_;
  QToolButton* section_ = nullptr;  // the newest one
  std::vector<TextField> fields_;
  QLineEdit *log_ = nullptr, *trigger_ = nullptr, *send_ = nullptr, *plugin_ = nullptr, *plugin_back_ = nullptr;
  QDoubleSpinBox* before_ = nullptr;
};

}  // namespace tl::ui
