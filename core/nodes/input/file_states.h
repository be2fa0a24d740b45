// The states of input files: names of readers in caches, fingerprints for records, and what load nodes declare of them.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/bytes/fingerprint.h"
#include "core/node/node_builder.h"

namespace tl {

// A name for the reader of files as they are now: a file that changed gets another reader. Empty names and files that
// are not there are left out.
std::string reader_name(std::initializer_list<std::string> files);

// Fingerprints of files, separated by spaces, after `first` if that is not empty. Of thousands, the first ones and the
// count. Errors: as io::fingerprint().
Result<std::string> fingerprints_of(std::span<const std::filesystem::path> files, std::string first = {});

// That of a file which a node's parameter names; empty if it names none.
Result<std::string> fingerprint_of_named(const std::string& file);

// A node that opens files by `open(parameters, cancel)`: their fingerprints, behind that of the text file of angles
// where the node has one, and their names. What `open` gives, or points to, has files().
template <auto open, class P>
void describe_files(NodeBuilder<P>& n) {
  static constexpr auto opened_files = [](const P& p) -> Result<std::vector<std::filesystem::path>> {
    TL_TRY(const auto opened, open(p, {}));
    if constexpr (requires { opened->files(); })
      return opened->files();
    else
      return opened.files();
  };
  n.fingerprint([](const P& p) -> Result<std::string> {
    TL_TRY(const std::vector<std::filesystem::path> files, opened_files(p));
    std::string angles;
    if constexpr (requires { p.angles_file; }) {
      TL_TRY(angles, fingerprint_of_named(p.angles_file));
    }
    return fingerprints_of(files, std::move(angles));
  });
  n.files([](const P& p) -> Result<ScanFiles> {
    TL_TRY(std::vector<std::filesystem::path> files, opened_files(p));
    return ScanFiles{p.file, std::move(files)};
  });
}

}  // namespace tl
