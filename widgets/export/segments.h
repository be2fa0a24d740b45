// Segments: a row of buttons, one of which is chosen; arrow keys choose the next one.
#pragma once

#include <QStringList>
#include <QWidget>

class QButtonGroup;
class QHBoxLayout;

namespace tl::ui {

// GUI thread only.
class Segments final : public QWidget {
  Q_OBJECT
 public:
  explicit Segments(const QString& name, QWidget* parent = nullptr);
  void set_texts(const QStringList& texts);
  void choose(int index);  // emits no signal; index below 0: no segment
  [[nodiscard]] int chosen_index() const;

 Q_SIGNALS:
  void chosen(int index);  // by the user

 private:
  QButtonGroup* group_;
  QHBoxLayout* row_;
  QStringList texts_;
};

}  // namespace tl::ui
