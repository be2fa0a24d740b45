// Input files that are not chosen yet, or no longer where a pipeline says: the user shows one at its new place, and
// those that moved with it follow.
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "widgets/session/document.h"

namespace tl::ui {

struct MissingInput {
  std::string node, parameter;
  QString file;  // or folder, as the pipeline names it
};

// The first node in use that loads a scan or a volume and has no file yet, as templates have; nothing if there is none.
std::optional<std::string> input_to_choose(const Graph& graph, const Registry& registry);

// Those of `node`, or of all nodes if it is empty.
std::vector<MissingInput> missing_inputs(const Document& document, const QString& node = {});

// What changed between an earlier and the present place of a file: folders at the ends of both that are equal are left
// out, so that it holds for other files of the same tree.
struct MovedFolder {
  QString from, to;
  [[nodiscard]] static MovedFolder between(const QString& earlier, const QString& now);
  // Where a file is now; empty if it did not lie below `from`, or is not at the new place.
  [[nodiscard]] QString place_of(const QString& file) const;
};

// Sets the present place of `missing` and of every other missing input that moved with it, in one undoable step.
void relocate(Document& document, const MissingInput& missing, const QString& now);

}  // namespace tl::ui
