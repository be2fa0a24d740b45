// PathEditor: a file or folder, which can be typed, browsed or dropped.
#pragma once

#include "widgets/inspector/editors/value_editor.h"

namespace tl::ui {

class EntryLine;

class PathEditor final : public ValueEditor {
  Q_OBJECT
 public:
  PathEditor(const ParamDecl& decl, QWidget* parent);
  void show_value(const ParamValue& value) override;
  void show_validity(Validity validity) override;

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  enum class Kind { file, folder };
  void browse(Kind kind);
  void enter_path(const QString& path);
  EntryLine* line_;
};

}  // namespace tl::ui
