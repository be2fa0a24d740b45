// DatasetChoice: which datasets of an HDF5 file of no known layout make a scan: suggested by shapes and names, checked
// against each other, and found again in other files of the same layout. No pixels are read.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/hdf5/tree.h"

namespace tl::io {

enum class DatasetRole : uint32_t { frames, kinds, flats, darks, angles };
inline constexpr std::array<DatasetRole, 5> dataset_roles = {
    DatasetRole::frames, DatasetRole::kinds, DatasetRole::flats, DatasetRole::darks, DatasetRole::angles};
// The corresponding parameter of the load node: "data", "image_key", "flats", "darks", "angles_dataset".
std::string_view parameter_of(DatasetRole role);

struct DatasetChoice {
  std::array<std::string, 5> paths;  // by role; empty: none

  [[nodiscard]] const std::string& operator[](DatasetRole role) const { return paths[static_cast<std::size_t>(role)]; }
  std::string& operator[](DatasetRole role) { return paths[static_cast<std::size_t>(role)]; }
  [[nodiscard]] bool empty() const;
  friend bool operator==(const DatasetChoice&, const DatasetChoice&) = default;
};

// The largest dataset of frames, and other datasets that fit it by shape and name; empty without frames.
DatasetChoice suggested_choice(const Hdf5Tree& tree);

// Why the dataset of a role cannot be used with the others, as a sentence; empty if it can, or if that is unknown
// because it lies behind a link. A role without a dataset has no problem, except the role of the frames.
std::string problem_of(const Hdf5Tree& tree, const DatasetChoice& choice, DatasetRole role);

// Settings of the load node: "data=/scan/images".
std::vector<std::string> settings_of(const DatasetChoice& choice);

// Identifies the layout of a file: names, kinds and ranks of all entries, with numbers in names left out, and no sizes
// ("xxh128:..." text).
std::string layout_fingerprint(const Hdf5Tree& tree);

// The same choice in another file of the same layout: equal paths, or the only paths that differ in numbers alone.
// Nothing if one does not exist or cannot be used.
std::optional<DatasetChoice> choice_in(const Hdf5Tree& tree, const DatasetChoice& choice);

}  // namespace tl::io
