// Where files of strokes are stored: next to the pipeline, or with the copies of unsaved pipelines.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace tl::ui {

class Document;

// In the user's data: copies of unsaved pipelines and the strokes painted in pipelines without a file.
QString folder_of_unsaved();

// "scan.strokes" next to scan.json, or "scan-2.strokes" if that is there; of a pipeline that was never saved a new name
// in the folder of unsaved ones, which is made.
QString new_strokes_file(const Document& document);

// Before the document is saved as `path`: copies the strokes that lie elsewhere, or belong to the pipeline's former
// file, next to the new one, and lets the nodes of all steps name the copies. Whole strokes are never lost: other
// strokes are not replaced, and the files copied from stay. io: cannot be copied; the document is unchanged then.
Result<void> put_strokes_next_to(Document& document, const QString& path);

}  // namespace tl::ui
