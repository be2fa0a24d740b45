// Which files of a folder of EDF frames are views, flats and darks, by the names that the ESRF gives them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tl::io {

struct NumberedFile {
  std::filesystem::path file;
  std::optional<int64_t> number;
};

// darkendNNNN.edf, which may be a sum of darks, or other files: averages (dark.edf, darkHSTNNNN.edf), dark....
enum class DarkFiles { as_measured, averaged };

struct EdfFolder {
  std::string prefix;               // of the views: PREFIXNNNN.edf
  std::vector<NumberedFile> views;  // in the order of their numbers
  // refHSTNNNN.edf (averages) or, if there are none, refMMMM_NNNN.edf: taken before the view with the number NNNN.
  // Other flats, named flat..., have no number.
  std::vector<NumberedFile> flats;
  std::vector<std::filesystem::path> darks;
  DarkFiles dark_files = DarkFiles::averaged;
  std::vector<std::string> notes, notes_on_flats, notes_on_darks;  // what was left out
};

// Sorts the EDF files of a folder. The views are the files named by the wanted name and a number, with or without "_"
// between them, or else the most numerous files with the same prefix; empty without such files.
EdfFolder sort_edf_folder(const std::filesystem::path& folder, const std::string& wanted_name);

// The kind of a dark file, by its name: averaged or as measured.
DarkFiles dark_files_of(const std::filesystem::path& file);

// The part of a file name before the number at its end: "scan_" of scan_0012.edf.
std::string prefix_of(const std::filesystem::path& file);

}  // namespace tl::io
