// The files that entries name: whether they are still there, where they were moved to, and what deleting them frees.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/history/store.h"

namespace tl::history {

// changed: another size than it had. Looks at names and sizes alone.
enum class Presence { there, changed, missing };
Presence presence_of(const File& file);
// The worst of the entry's outputs; there if it has none.
Presence presence_of_outputs(const Entry& entry);

// Looks in `folder` and all folders below it for inputs and outputs of the entry that are missing: files of the same
// size and fingerprint. Those that it finds are entered under their new names. The number of files found.
Result<int> locate(const Store& store, int64_t id, const std::filesystem::path& folder, const CancelToken& cancel = {});

// What is deleted with some entries.
struct DeletionPlan {
  struct NotDeleted {
    std::filesystem::path file;
    std::string why;
  };
  std::vector<std::filesystem::path> files;  // with their records
  std::vector<NotDeleted> not_deleted;
  int64_t bytes = 0;  // freed
};
// Only outputs that still have the content that the entry wrote, and that no other entry wrote too.
Result<DeletionPlan> plan_deletion(const Store& store, const std::vector<int64_t>& ids);
// Deletes rows, and then the files. What cannot be deleted is added to `not_deleted`, and not to `bytes`.
Result<DeletionPlan> delete_entries_with_files(const Store& store, const std::vector<int64_t>& ids);

}  // namespace tl::history
