// Exports: writes an exported file as a whole, under the rules for existing files.
#include "widgets/session/exports.h"

#include "core/io/output/output_file.h"

namespace tl::ui {

ExportRules no_pipeline() {
  return [] { return io::no_inputs(io::Overwrite::replace); };
}

Result<void> write_export(const QString& path, const QByteArray& bytes, const ExportRules& rules) {
  return io::write_text(path.toStdString(), bytes.toStdString(), rules());
}

}  // namespace tl::ui
