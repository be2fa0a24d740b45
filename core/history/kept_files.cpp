// Finds, and deletes, the files of entries.
#include "core/history/kept_files.h"

#include <algorithm>
#include <set>

#include "core/history/entry_texts.h"
#include "core/io/bytes/fingerprint.h"

namespace tl::history {
namespace fs = std::filesystem;
namespace {

bool has_print(const fs::path& path, const File& file) {
  if (file.fingerprint.empty()) return false;
  const auto print = io::fingerprint(path);
  return print.ok() && print.value() == file.fingerprint;
}

// Sizes are compared first: fingerprints read the disk.
bool is_same(const fs::path& path, const File& file) {
  return file_at(path).bytes == file.bytes && has_print(path, file);
}

// Finds the wanted files in a folder, in one pass over it.
Result<int> find_in(const fs::path& folder, std::vector<File*> wanted, const CancelToken& cancel) {
  int found = 0;
  std::error_code failed;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, failed);
  if (failed) return io_error("the folder cannot be read: " + failed.message(), folder.string());
  for (; at != fs::recursive_directory_iterator() && !wanted.empty(); at.increment(failed)) {
    if (failed) break;
    if (cancel.cancelled()) return cancelled();
    const bool is_folder = at->is_directory(failed);
    if (!is_folder && !at->is_regular_file(failed)) continue;
    for (auto one = wanted.begin(); one != wanted.end();) {
      // A folder keeps its name when its parent is moved; without this test the size of every folder would have to be
      // computed.
      const bool may_be = is_folder ? at->path().filename() == fs::path((*one)->path).filename()
                                    : static_cast<int64_t>(at->file_size(failed)) == (*one)->bytes;
      if (!may_be || !is_same(at->path(), **one)) {
        ++one;
        continue;
      }
      (*one)->path = fs::absolute(at->path()).lexically_normal().string();
      one = wanted.erase(one);
      ++found;
    }
  }
  return found;
}

}  // namespace

Presence presence_of(const File& file) {
  std::error_code failed;
  const fs::file_status status = fs::status(file.path, failed);
  if (!fs::exists(status)) return Presence::missing;
  // A folder would have to be summed up.
  if (!fs::is_regular_file(status)) return Presence::there;
  return static_cast<int64_t>(fs::file_size(file.path, failed)) == file.bytes ? Presence::there : Presence::changed;
}

Presence presence_of_outputs(const Entry& entry) {
  Presence worst = Presence::there;
  for (const File& file : entry.outputs) worst = std::max(worst, presence_of(file));
  return worst;
}

Result<int> locate(const Store& store, int64_t id, const fs::path& folder, const CancelToken& cancel) {
  TL_TRY(Entry entry, store.get(id));
  std::vector<File*> missing;
  for (auto* files : {&entry.inputs, &entry.outputs})
    for (File& file : *files)
      if (presence_of(file) != Presence::there && !file.fingerprint.empty()) missing.push_back(&file);
  if (missing.empty()) return 0;
  TL_TRY(const int found, find_in(folder, missing, cancel));
  if (found > 0) TL_TRY(store.update(entry));
  return found;
}

Result<DeletionPlan> plan_deletion(const Store& store, const std::vector<int64_t>& ids) {
  const std::set<int64_t> chosen(ids.begin(), ids.end());
  TL_TRY(const Listing all, store.list());
  std::set<std::pair<std::string, std::string>> of_others;  // path, fingerprint
  for (const Entry& entry : all.entries)
    if (chosen.count(entry.id) == 0)
      for (const File& file : entry.outputs) of_others.insert({file.path, file.fingerprint});
  DeletionPlan plan;
  std::set<std::string> done;
  for (const Entry& entry : all.entries) {
    if (chosen.count(entry.id) == 0) continue;
    for (const File& file : entry.outputs) {
      std::error_code failed;
      if (!fs::exists(fs::symlink_status(file.path, failed)) || !done.insert(file.path).second) continue;
      if (fs::is_symlink(fs::symlink_status(file.path, failed))) {
        plan.not_deleted.push_back({file.path, "it is a link"});
      } else if (of_others.count({file.path, file.fingerprint}) != 0) {
        plan.not_deleted.push_back({file.path, "another entry of the history has it too"});
      } else if (!is_same(file.path, file)) {
        plan.not_deleted.push_back({file.path, "it has changed since then"});
      } else {
        plan.files.emplace_back(file.path);
        plan.bytes += file.bytes;
        if (const fs::path record = file.path + ".json"; fs::is_regular_file(record, failed)) {
          plan.files.push_back(record);
          plan.bytes += file_at(record).bytes;
        }
      }
    }
  }
  return plan;
}

Result<DeletionPlan> delete_entries_with_files(const Store& store, const std::vector<int64_t>& ids) {
  TL_TRY(DeletionPlan planned, plan_deletion(store, ids));
  TL_TRY(store.remove(ids));  // rows first: files without a row are better than rows whose files are gone
  DeletionPlan done;
  done.not_deleted = std::move(planned.not_deleted);
  for (const fs::path& file : planned.files) {
    const int64_t bytes = file_at(file).bytes;
    std::error_code failed;
    fs::remove_all(file, failed);
    if (failed) {
      done.not_deleted.push_back({file, failed.message()});
    } else {
      done.files.push_back(file);
      done.bytes += bytes;
    }
  }
  return done;
}

}  // namespace tl::history
