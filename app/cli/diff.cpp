// tomoloom diff: explains how two results differ: pipeline, parameters, inputs, versions, voxels.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/common/cli.h"
#include "core/base/text.h"
#include "core/io/open_volume.h"
#include "core/io/voxel_difference.h"
#include "core/run/record/record_diff.h"

namespace tl::cli {
namespace {

struct DiffArguments {
  std::string first, second;
};

// "fbp.filter: hann | ram_lak"
std::string difference_line(const Difference& d) {
  const auto side = [](const std::string& text) { return text.empty() ? std::string("absent") : text; };
  std::string line = d.what + ": " + side(d.first) + " | " + side(d.second);
  if (!d.sigmas) return line;
  return line + formatted(" (%.1f sigma apart)", *d.sigmas);
}

enum class Likeness { unknown, equal, different };
// Result of comparing the voxels of two results; `why_not` gives the reason if they were not compared.
struct VoxelComparison {
  std::optional<io::VoxelDifference> voxels;
  std::string why_not;
  Likeness likeness = Likeness::unknown;
  std::optional<Error> unreadable;  // a volume exists, but cannot be read
};

// The volume NAME that belongs to the record NAME.json.
std::filesystem::path volume_of(const std::string& result) {
  const std::filesystem::path path = result;
  return path.extension() == ".json" ? path.parent_path() / path.stem() : path;
}

using OpenedVolume = Result<std::unique_ptr<io::VolumeReader>>;

// Why an existing volume cannot be read. A file that is not a volume gives no error.
std::optional<Error> why_unreadable(const OpenedVolume& opened, const std::string& result) {
  std::error_code failed;
  if (opened.ok() || opened.error().kind == ErrorKind::invalid) return std::nullopt;
  return std::filesystem::exists(volume_of(result), failed) ? std::optional(opened.error()) : std::nullopt;
}

Result<VoxelComparison> compare(const DiffArguments& o, const CancelToken& cancel) {
  const auto first = io::open_volume(volume_of(o.first), {}, cancel);
  const auto second = io::open_volume(volume_of(o.second), {}, cancel);
  if (!first.ok() || !second.ok()) {
    const auto why_first = why_unreadable(first, o.first), why_second = why_unreadable(second, o.second);
    const bool has_first = first.ok() || why_first, has_second = second.ok() || why_second;
    const Likeness likeness = has_first == has_second ? Likeness::unknown : Likeness::different;
    const std::optional<Error>& why = why_first ? why_first : why_second;
    return VoxelComparison{{}, (why ? *why : (first.ok() ? second : first).error()).message(), likeness, why};
  }
  const auto voxels = io::compare_voxels(*first.value(), *second.value(), cancel);
  if (voxels.ok()) {
    const Likeness likeness = voxels.value().differing == 0 ? Likeness::equal : Likeness::different;
    return VoxelComparison{voxels.value(), {}, likeness, {}};
  }
  if (voxels.error().kind != ErrorKind::invalid) return voxels.error();
  return VoxelComparison{{}, voxels.error().message(), Likeness::different, {}};  // of other sizes
}

std::string difference_text(const io::VoxelDifference& v) {
  if (v.differing == 0) return "voxels: all " + std::to_string(v.voxels) + " are equal";
  std::string text = "voxels: " + std::to_string(v.differing) + " of " + std::to_string(v.voxels) + " differ";
  text += std::isfinite(v.largest)
              ? formatted(", by %.3g at most (%.2g %% of the range), rms %.3g", v.largest,
                          v.range() > 0 ? 100 * v.largest / v.range() : 0, v.rms)
              : formatted(", some of them are finite in one file only; rms difference of the others %.3g", v.rms);
  const auto [z, y, x] = v.largest_at;
  return text + "; the largest at slice " + std::to_string(z) + ", y " + std::to_string(y) + ", x " + std::to_string(x);
}

void print_text(const RecordDiff& diff, const VoxelComparison& voxels) {
  const auto block = [](const char* title, const std::vector<Difference>& lines) {
    if (lines.empty()) return;
    say(stdout, title);
    for (const Difference& d : lines) say(stdout, "  " + difference_line(d));
  };
  block("pipeline", diff.pipeline);
  block("parameters", diff.parameters);
  block("inputs", diff.inputs);
  block("versions and device", diff.versions);
  if (diff.empty()) say(stdout, "the records do not differ");
  say(stdout, voxels.voxels ? difference_text(*voxels.voxels) : "voxels: not compared: " + voxels.why_not);
}

Json as_json(const std::vector<Difference>& lines) {
  Json list = Json::array();
  for (const Difference& d : lines) {
    Json entry = {{"what", d.what}, {"first", d.first}, {"second", d.second}};
    if (d.sigmas) entry["sigmas"] = *d.sigmas;
    list.push_back(std::move(entry));
  }
  return list;
}

Json as_json(const VoxelComparison& c) {
  if (!c.voxels) return {{"why_not", c.why_not}};
  const io::VoxelDifference& v = *c.voxels;
  Json entry = {{"voxels", v.voxels}, {"differing", v.differing}, {"rms", v.rms}, {"range", {v.low, v.high}}};
  entry["largest"] = std::isfinite(v.largest) ? Json(v.largest) : Json();  // JSON has no infinity
  if (v.differing > 0) entry["largest_at"] = v.largest_at;
  return entry;
}

Result<void> run(const DiffArguments& o, Cli& cli) {
  TL_TRY(const std::string first, record_of(o.first));
  TL_TRY(const std::string second, record_of(o.second));
  TL_TRY(const RecordDiff diff, compare_records({first, o.first}, {second, o.second}, Registry::all()));
  TL_TRY(const VoxelComparison voxels, compare(o, cli.cancel));
  // If records agree and a volume cannot be read, whether the voxels differ stays unknown.
  if (diff.empty() && voxels.likeness == Likeness::unknown && voxels.unreadable) return *voxels.unreadable;
  if (cli.output_mode == OutputMode::json)
    say(stdout, Json{{"pipeline", as_json(diff.pipeline)},
                     {"parameters", as_json(diff.parameters)},
                     {"inputs", as_json(diff.inputs)},
                     {"versions", as_json(diff.versions)},
                     {"voxels", as_json(voxels)}}
                    .dump());
  else if (cli.output_mode == OutputMode::text)
    print_text(diff, voxels);
  if (!diff.empty() || voxels.likeness == Likeness::different) cli.code = exit_different;
  return ok();
}

}  // namespace

void add_diff(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("diff", "Explain how two results differ");
  const auto options = std::make_shared<DiffArguments>();
  cli.files.reads(sub->add_option("FIRST", options->first, "A result, or its record NAME.json"))->required();
  cli.files.reads(sub->add_option("SECOND", options->second, "The other one"))->required();
  add_output_flags(*sub, cli);
  sub->callback([options, &cli] { cli.command = [options](Cli& c) { return run(*options, c); }; });
}

}  // namespace tl::cli
