// ObjectFinder: the number of the label under the crosshair, after a person moved it.
#pragma once

#include <QObject>
#include <optional>

#include "widgets/views/pictures/picture_source.h"
#include "widgets/views/state/view_state.h"

namespace tl::ui {

// GUI thread only. Source and state must outlive it.
class ObjectFinder final : public QObject {
  Q_OBJECT
 public:
  enum class Searching { off, on };
  ObjectFinder(PictureSource& source, ViewState& state, QObject* parent = nullptr);
  ~ObjectFinder() override;
  void set_searching(Searching searching) { searching_ = searching; }
  void go_to(Vec3 position);  // moves the crosshair without a search

 Q_SIGNALS:
  void found(qint64 number);

 private:
  void search();
  void take(const QString& view, const live::Picture& picture);
  PictureSource& source_;
  ViewState& state_;
  Searching searching_ = Searching::off;
  bool asked_ = false, is_going_ = false;
  uint64_t ticket_ = 0;
};

}  // namespace tl::ui
