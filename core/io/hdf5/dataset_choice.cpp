// Suggests and checks the datasets of an HDF5 file that make up a scan, and finds them in similar files.
#include "core/io/hdf5/dataset_choice.h"

#include <xxhash.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/hdf5/tree_text.h"
#include "core/io/text/frame_names.h"

namespace tl::io {
namespace {

std::string last_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool has_numbers(const TreeEntry& entry) {
  return entry.kind == TreeKind::dataset &&
         (entry.type.starts_with("uint") || entry.type.starts_with("int") || entry.type.starts_with("float"));
}

const TreeEntry* entry_at(const Hdf5Tree& tree, const std::string& path) {
  for (const TreeEntry& entry : tree.entries)
    if (entry.path == path) return &entry;
  return nullptr;
}

// Whether a path may pass through a link, whose target the tree does not list.
bool is_behind_link(const Hdf5Tree& tree, const std::string& path) {
  return std::any_of(tree.entries.begin(), tree.entries.end(), [&](const TreeEntry& entry) {
    const bool is_link = entry.kind == TreeKind::soft_link || entry.kind == TreeKind::external_link ||
                         (entry.kind == TreeKind::group && !entry.target.empty());
    return is_link && entry.link != LinkState::missing && (path == entry.path || path.starts_with(entry.path + "/"));
  });
}

std::string dimensions_text(const TreeEntry& entry) {
  std::string text;
  for (const int64_t n : entry.shape) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text.empty() ? "a single value" : text;
}

bool same_pixels(const TreeEntry& frames, const TreeEntry& other) {
  const std::size_t rank = other.shape.size();
  return (rank == 2 || rank == 3) && frames.shape[1] == other.shape[rank - 2] &&
         frames.shape[2] == other.shape[rank - 1];
}

bool is_angle_name(const std::string& name) {
  constexpr std::array<std::string_view, 5> words = {"angle", "theta", "rot", "omega", "phi"};
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

// How well a list serves as angles: lower is better; nothing if it cannot. Set points of a motor rank below measured
// positions.
std::optional<int> rank_of_angles(const TreeEntry& entry) {
  const std::string name = lower_case(last_name(entry.path));
  const auto unit = parse_unit(entry.unit);
  const bool has_unit = unit.ok() && dimension(unit.value()) == Dimension::angle;
  if (!has_unit && (!entry.unit.empty() || !is_angle_name(name))) return std::nullopt;
  return (has_unit ? 0 : 4) + (is_angle_name(name) ? 0 : 2) + (name.find("set") != std::string::npos ? 1 : 0);
}

// A name with its numbers replaced: "/scan_#/image_#".
std::string without_numbers(const std::string& path) {
  std::string out;
  for (const char c : path) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!digit) out += c;
    if (digit && (out.empty() || out.back() != '#')) out += '#';
  }
  return out;
}

std::string problem_of_frames(const TreeEntry& entry) {
  if (!has_numbers(entry)) return "The frames must be a dataset of numbers.";
  if (entry.shape.size() != 3)
    return "The frames must have three dimensions, frame, row and column, not " + dimensions_text(entry) + ".";
  return {};
}

std::string problem_with_frames(const TreeEntry& entry, const TreeEntry& frames, DatasetRole role) {
  const int64_t count = frames.shape[0];
  if (!has_numbers(entry)) return "It must be a dataset of numbers.";
  switch (role) {
    case DatasetRole::flats:
    case DatasetRole::darks:
      if (!same_pixels(frames, entry))
        return "Its pixels (" + dimensions_text(entry) + ") differ from those of the frames (" +
               dimensions_text(frames) + ").";
      return {};
    case DatasetRole::kinds:
      if (entry.shape.size() != 1 || entry.shape[0] != count)
        return "There must be one number per frame, " + std::to_string(count) + ", not " + dimensions_text(entry) + ".";
      return {};
    case DatasetRole::angles:
      if (entry.shape.size() != 1) return "Angles must be a list, not " + dimensions_text(entry) + ".";
      return {};
    case DatasetRole::frames: break;
  }
  return {};
}

}  // namespace

std::string_view parameter_of(DatasetRole role) {
  constexpr std::array<std::string_view, 5> names = {"data", "image_key", "flats", "darks", "angles_dataset"};
  return names[static_cast<std::size_t>(role)];
}

bool DatasetChoice::empty() const {
  return std::all_of(paths.begin(), paths.end(), [](const std::string& path) { return path.empty(); });
}

DatasetChoice suggested_choice(const Hdf5Tree& tree) {
  DatasetChoice choice;
  const std::vector<std::string> candidates = possible_frames(tree);
  if (candidates.empty()) return choice;
  const auto views = std::find_if(candidates.begin(), candidates.end(), [](const std::string& path) {
    return frame_kind(last_name(path)) == FrameKind::projection;
  });
  choice[DatasetRole::frames] = views == candidates.end() ? candidates.front() : *views;
  const TreeEntry& frames = *entry_at(tree, choice[DatasetRole::frames]);
  std::optional<int> best;
  for (const TreeEntry& entry : tree.entries) {
    if (!has_numbers(entry) || entry.path == frames.path) continue;
    const std::string name = last_name(entry.path);
    const FrameKind kind = frame_kind(name);
    if (kind != FrameKind::projection && same_pixels(frames, entry)) {
      std::string& path = choice[kind == FrameKind::flat ? DatasetRole::flats : DatasetRole::darks];
      if (path.empty()) path = entry.path;
    }
    if (entry.shape != std::vector<int64_t>{frames.shape[0]}) continue;
    if (!entry.type.starts_with("float") && lower_case(name).find("key") != std::string::npos)
      choice[DatasetRole::kinds] = entry.path;
    const auto rank = rank_of_angles(entry);
    if (!rank || (best && *best <= *rank)) continue;
    best = rank;
    choice[DatasetRole::angles] = entry.path;
  }
  // Keys and datasets of their own exclude each other.
  if (!choice[DatasetRole::flats].empty() || !choice[DatasetRole::darks].empty()) choice[DatasetRole::kinds].clear();
  return choice;
}

std::string problem_of(const Hdf5Tree& tree, const DatasetChoice& choice, DatasetRole role) {
  const std::string& path = choice[role];
  if (path.empty()) return role == DatasetRole::frames ? "The frames must be named." : "";
  const bool has_references = !choice[DatasetRole::flats].empty() || !choice[DatasetRole::darks].empty();
  if (role == DatasetRole::kinds && has_references)
    return "Flats and darks are marked by the kinds of the frames, or are datasets of their own, not both.";
  const TreeEntry* entry = entry_at(tree, path);
  if (entry == nullptr || entry->kind != TreeKind::dataset) {
    if (is_behind_link(tree, path)) return {};
    if (entry == nullptr) return tree.left_out.empty() ? "The file has no dataset of that name." : "";
    return "It is not a dataset.";
  }
  if (!entry->problem.empty()) return entry->problem + ".";
  if (role == DatasetRole::frames) return problem_of_frames(*entry);
  const TreeEntry* frames = entry_at(tree, choice[DatasetRole::frames]);
  if (frames == nullptr || !problem_of_frames(*frames).empty()) return {};
  return problem_with_frames(*entry, *frames, role);
}

std::vector<std::string> settings_of(const DatasetChoice& choice) {
  std::vector<std::string> settings;
  for (const DatasetRole role : dataset_roles)
    if (!choice[role].empty()) settings.push_back(std::string(parameter_of(role)) + "=" + choice[role]);
  return settings;
}

std::string layout_fingerprint(const Hdf5Tree& tree) {
  std::set<std::string> lines;
  for (const TreeEntry& entry : tree.entries)
    lines.insert(without_numbers(entry.path) + "|" + std::to_string(static_cast<int>(entry.kind)) + "|" +
                 std::to_string(entry.shape.size()) + "|" + (has_numbers(entry) ? "numbers" : ""));
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return formatted("xxh128:%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                   static_cast<unsigned long long>(hash.low64));
}

std::optional<DatasetChoice> choice_in(const Hdf5Tree& tree, const DatasetChoice& choice) {
  DatasetChoice found = choice;
  for (const DatasetRole role : dataset_roles) {
    std::string& path = found[role];
    if (path.empty() || entry_at(tree, path) != nullptr || is_behind_link(tree, path)) continue;
    const std::string pattern = without_numbers(path);
    std::string only;
    for (const TreeEntry& entry : tree.entries) {
      if (without_numbers(entry.path) != pattern) continue;
      if (!only.empty()) return std::nullopt;
      only = entry.path;
    }
    if (only.empty()) return std::nullopt;
    path = only;
  }
  for (const DatasetRole role : dataset_roles)
    if (!problem_of(tree, found, role).empty()) return std::nullopt;
  return found;
}

}  // namespace tl::io
