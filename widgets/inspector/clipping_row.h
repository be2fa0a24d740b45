// ClippingRow: what saving a volume as integers would clip of its middle slice, shown while the range is being chosen.
#pragma once

#include <QWidget>
#include <optional>

#include "core/run/hints/clipping.h"
#include "widgets/session/live_session.h"

class QLabel;

namespace tl::ui {

// GUI thread only. Hidden for nodes that save no integers.
class ClippingRow final : public QWidget {
  Q_OBJECT
 public:
  explicit ClippingRow(LiveSession& session, QWidget* parent = nullptr);
  ~ClippingRow() override;
  void show_node(const QString& node);

 private:
  void refresh();
  void take(const QString& view, const live::Picture& picture);
  LiveSession& session_;
  QString node_, request_name_;
  QLabel* text_;
  std::optional<SavedIntegers> saved_;
  std::optional<live::PictureRequest> asked_;
  std::shared_ptr<const picture::Image> slice_;  // of the request
};

}  // namespace tl::ui
