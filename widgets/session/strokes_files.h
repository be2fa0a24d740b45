// Where files of strokes are stored: next to the pipeline, or with the copies of unsaved pipelines.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace tl::ui {

class Document;

// In the user's data: copies of unsaved pipelines and the strokes painted in pipelines without a file.
QString folder_of_unsaved();

// "scan.strokes" next to scan.json, or "scan-2.strokes" if the former exists; for a pipeline that was never saved, a
// new name in the folder of unsaved ones, which is created.
QString new_strokes_file(const Document& document);

// Before the document is saved as `path`: copies strokes from other folders, or of the pipeline's former file, next to
// the new one, and sets the copies in the nodes of all steps. Strokes are never lost: other strokes are not replaced,
// and the originals are kept. io: cannot be copied; the document is then unchanged.
Result<void> put_strokes_next_to(Document& document, const QString& path);

}  // namespace tl::ui
