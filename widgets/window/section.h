// Section: a part of a dock under a heading in small capitals.
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;

namespace tl::ui {

class Section final : public QWidget {
  Q_OBJECT
 public:
  Section(const QString& title, QWidget* content, QWidget* parent = nullptr);
  // A small widget at the right end of the heading.
  void add_to_head(QWidget* widget);

 private:
  QHBoxLayout* head_;
};

}  // namespace tl::ui
