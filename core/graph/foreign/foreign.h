// Pipelines of other programs: reads and writes their files, and lists what has no counterpart on the other side.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/io/reader/scan_info.h"

namespace tl::foreign {

inline constexpr std::uintmax_t largest_pipeline = std::uintmax_t{4} << 20;  // bytes; larger files are not read

// Something that has no counterpart on the other side, or another meaning there.
struct Loss {
  std::string where;   // "line 12, remove_stripe_ti.beta" of a file that was read, "stripes.columns" of a graph
  std::string value;   // as it is written there; "" for a whole node or method
  std::string reason;  // "this program has no such method"
};
// "stripes.columns = found: HTTomo changes all columns"
std::string to_text(const Loss& loss);

// What is known of the scan that the pipeline is for: files of other programs state some of it, or need it. Numbers of
// the whole detector, before crops and bins. What needs an unknown value is reported as lost, never guessed.
struct ScanFacts {
  std::optional<int64_t> views, columns;
  std::optional<double> pixel_um, energy_kev, distance_mm;  // pixel on the detector; sample to detector
};

ScanFacts facts_of(const io::ScanInfo& scan);
// Of the scan that the graph loads; nothing is known if it cannot be opened. Blocks as read_scan_info() does.
ScanFacts facts_of(const Graph& graph);

struct ReadPipeline {
  Graph graph;  // a draft: the scan may be missing
  std::vector<Loss> lost;
};
struct WrittenPipeline {
  std::string text;
  std::vector<Loss> lost;
};

// Rotation axes: HTTomo and nabu count columns from 0 at the middle of the first one, here 0 is the detector centre.
struct PipelineFormat {
  std::string_view id;                    // "httomo", for --from and --to
  std::string_view title;                 // "HTTomo"
  std::vector<std::string_view> endings;  // of files; the first one is the usual one
  bool (*is_text_of)(std::string_view);   // whether a text looks like one of these; no full check
  // Errors: invalid, with the line, for a text that is not such a file or in which nothing is known here.
  Result<ReadPipeline> (*read)(std::string_view text, const std::string& file, const Registry&, const ScanFacts&);
  // Errors: invalid if nothing of the graph is known there.
  Result<WrittenPipeline> (*write)(const Graph&, const Registry&, const ScanFacts&);
};

// HTTomo (YAML), nabu (nabu.conf), ewoks (JSON).
const std::vector<PipelineFormat>& pipeline_formats();
const PipelineFormat* find_pipeline_format(std::string_view id);
// By the ending of a name; nullptr if none has it.
const PipelineFormat* pipeline_format_by_name(const std::filesystem::path& name);
// By what a text contains; nullptr if it is none of these.
const PipelineFormat* pipeline_format_of(std::string_view text);

// The text of a file, at most 4 MiB. Errors: io; invalid (too large).
Result<std::string> pipeline_text(const std::filesystem::path& file);

// A pipeline from a file, whose folder its inputs are relative to. `facts`: of the scan that it will read; none: of the
// scan that the file names. Untitled pipelines get the name of the file.
Result<ReadPipeline> open_pipeline(const PipelineFormat& format, const std::filesystem::path& file, const Registry&,
                                   const std::optional<ScanFacts>& facts = {});

// One each per format, in a file of its own.
const PipelineFormat& httomo_format();
const PipelineFormat& nabu_format();
const PipelineFormat& ewoks_format();

}  // namespace tl::foreign
