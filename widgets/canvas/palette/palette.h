// Palette: popup with a search line and a list of matching entries, to add nodes and to choose a link's target.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <functional>

#include "widgets/canvas/palette/palette_model.h"

namespace tl::ui {

class Palette final : public QFrame {
  Q_OBJECT
 public:
  explicit Palette(QWidget* parent);

  // Opens with the upper left corner near a point of the screen. `then` gets the chosen entry's key; it is not called
  // if the palette is closed with Esc or a click elsewhere.
  void open(const QPoint& global, const QString& prompt, std::vector<PaletteEntry> entries,
            std::function<void(const QString&)> then);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void accept();
  void typed(const QString& text);
  void show_details();
  void step(int lines);
  PaletteModel model_;
  QLineEdit* line_;
  QListView* list_;
  QLabel* details_;
  std::function<void(const QString&)> then_;
};

}  // namespace tl::ui
