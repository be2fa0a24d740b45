// ViewCell: a cell of the views area: a pane of a selectable kind, with its menu.
#pragma once

#include <QWidget>

#include "widgets/views/panes/image_pane.h"

class QVBoxLayout;

namespace tl::ui {

class CornerButton;
class EarlierPictures;

enum class PaneKind { xy, xz, yz, oblique, projections, sinogram, before, volume };
QString pane_kind_name(PaneKind kind);
const std::vector<PaneKind>& all_pane_kinds();

// GUI thread only.
class ViewCell final : public QWidget {
  Q_OBJECT
 public:
  // `name` is the prefix of its panes' view names; "before" panes show images of `earlier`.
  ViewCell(PictureSource& source, ViewState& state, const EarlierPictures& earlier, const QString& name,
           QWidget* parent = nullptr);

  void set_kind(PaneKind kind);
  [[nodiscard]] PaneKind kind() const { return kind_; }
  [[nodiscard]] QWidget* pane() const { return pane_; }
  [[nodiscard]] ImagePane* image_pane() const;  // nullptr for the volume pane
  // Actions of the menu after the kinds of panes.
  void set_menu_actions(const QList<QAction*>& actions) { menu_actions_ = actions; }
  // Placed before those of set_actions(), if the pane shows a volume.
  void set_volume_actions(const QList<QAction*>& actions) { volume_actions_ = actions; }
  void open_menu();

 Q_SIGNALS:
  void kind_changed();
  void fill_requested();
  void movie_wanted();  // a movie of the shown volume is requested
  void activated();     // got the focus

 protected:
  void resizeEvent(QResizeEvent*) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  [[nodiscard]] QWidget* make_pane(PaneKind kind);
  void name_button();
  void name_tip();
  PictureSource& source_;
  ViewState& state_;
  const EarlierPictures& earlier_;
  QString name_;
  PaneKind kind_ = PaneKind::xy;
  QWidget* pane_ = nullptr;
  QWidget* bar_ = nullptr;
  CornerButton* button_;
  QVBoxLayout* column_;
  QList<QAction*> menu_actions_, volume_actions_;
};

}  // namespace tl::ui
