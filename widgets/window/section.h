// Section: a widget of a dock under a heading in small capitals.
#pragma once

#include <QWidget>

namespace tl::ui {

class Section final : public QWidget {
  Q_OBJECT
 public:
  Section(const QString& title, QWidget* content, QWidget* parent = nullptr);
};

}  // namespace tl::ui
