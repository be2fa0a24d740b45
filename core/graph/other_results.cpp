// Detects results that do not belong to the record next to them, by comparing fingerprints.
#include "core/graph/other_results.h"

#include <filesystem>
#include <fstream>

#include "core/base/printable.h"
#include "core/base/wording.h"
#include "core/graph/json_document.h"
#include "core/io/bytes/fingerprint.h"

namespace tl {
namespace {

namespace fs = std::filesystem;

// The member "fingerprints" of a record; null if the file is not a record.
json::Json fingerprints_in(const fs::path& record) {
  std::error_code failed;
  if (record.extension() != ".json" || !fs::is_regular_file(record, failed)) return {};
  const auto size = fs::file_size(record, failed);
  if (failed || size > json::max_bytes) return {};
  std::string text(size, '\0');
  std::ifstream(record, std::ios::binary).read(text.data(), static_cast<std::streamsize>(size));
  Result<json::Document> document = json::read_document(text, record.string());
  if (!document.ok() || !document.value().root.is_object()) return {};
  const auto found = document.value().root.find("fingerprints");
  return found != document.value().root.end() && found->is_object() ? *found : json::Json();
}

// Whether `name`, which comes from a file, is the plain name of a file or folder inside `folder`.
bool is_in(const fs::path& folder, const fs::path& name) {
  std::error_code failed;
  const fs::file_status status = fs::status(folder / name, failed);
  return name.has_filename() && name == name.filename() && name != "." && name != ".." &&
         (fs::is_regular_file(status) || fs::is_directory(status));
}

}  // namespace

std::vector<std::string> results_of_other_runs(const std::string& record) {
  const fs::path folder = fs::path(record).parent_path();
  std::vector<std::string> others;
  const json::Json prints = fingerprints_in(record);
  for (const auto& [name, print] : prints.items()) {
    if (!print.is_string() || !is_in(folder, name)) continue;
    const Result<std::string> now = io::fingerprint(folder / name);
    if (now.ok() && now.value() != print.get<std::string>())
      others.push_back(
          "\"" + printable(name) +
          "\" next to the record is not the one that this record describes: a run may have been killed while "
          "it replaced it; " +
          two_wordings("run it again with --overwrite", "run it again and replace the files"));
  }
  return others;
}

}  // namespace tl
