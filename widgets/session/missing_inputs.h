// Input files that are not chosen yet, or missing at the path in a pipeline: the user selects one at its new path, and
// others that moved with it are found.
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

// The first node in use that loads a scan or a volume and has no file yet, as in templates; nullopt if there is none.
std::optional<std::string> input_to_choose(const Graph& graph, const Registry& registry);

// The missing inputs of `node`, or of all nodes if it is empty.
std::vector<MissingInput> missing_inputs(const Document& document, const QString& node = {});

// The difference between an earlier and the present path of a file, without the folders that are equal at the ends of
// both, so that it applies to other files of the same tree.
struct MovedFolder {
  QString from, to;
  [[nodiscard]] static MovedFolder between(const QString& earlier, const QString& now);
  // The present path of a file; empty if it was not below `from`, or is not at the new path.
  [[nodiscard]] QString place_of(const QString& file) const;
};

// Sets the present path of `missing` and of every other missing input that moved with it, in one undo step.
void relocate(Document& document, const MissingInput& missing, const QString& now);

}  // namespace tl::ui
