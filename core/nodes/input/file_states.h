// The states of input files: identifiers of readers in caches, fingerprints for records, and the files that load nodes
// declare.
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

// A cache name for the reader of these files in their present state: a changed file gets another name. Empty names and
// missing files are ignored.
std::string reader_name(std::initializer_list<std::string> files);

// Fingerprints of files, separated by spaces, after `first` if that is not empty. For thousands of files, the first
// ones and the count. Errors: as io::fingerprint().
Result<std::string> fingerprints_of(std::span<const std::filesystem::path> files, std::string first = {});

// The fingerprint of a file named by a parameter; empty if the parameter is empty.
Result<std::string> fingerprint_of_named(const std::string& file);

// Sets the functions of a node that opens files by `open(parameters, cancel)`: fingerprints of its files, preceded by
// that of the text file of angles if the node has one, and their names. The result of `open`, or the object to which it
// points, has files().
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
