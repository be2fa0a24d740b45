// Files named by history entries: whether they still exist, their new paths if moved, and the space that deleting them
// frees.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/history/store.h"

namespace tl::history {

// changed: the size differs. Checks only names and sizes, not the content.
enum class Presence { there, changed, missing };
Presence presence_of(const File& file);
// The worst state among the entry's outputs; `there` if it has none.
Presence presence_of_outputs(const Entry& entry);

// Searches `folder` and all folders below it for missing inputs and outputs of the entry: files of equal size and
// fingerprint. Files that it finds are stored with their new paths. Returns the number of files found.
Result<int> locate(const Store& store, int64_t id, const std::filesystem::path& folder, const CancelToken& cancel = {});

// The files and rows that deleting some entries removes.
struct DeletionPlan {
  struct NotDeleted {
    std::filesystem::path file;
    std::string why;
  };
  std::vector<std::filesystem::path> files;  // with their records
  std::vector<NotDeleted> not_deleted;
  int64_t bytes = 0;  // freed
};
// Includes only outputs that still have the content that the entry wrote, and that no other entry wrote as well.
Result<DeletionPlan> plan_deletion(const Store& store, const std::vector<int64_t>& ids);
// Deletes rows, and then the files. Files that cannot be deleted are added to `not_deleted`, and not to `bytes`.
Result<DeletionPlan> delete_entries_with_files(const Store& store, const std::vector<int64_t>& ids);

}  // namespace tl::history
