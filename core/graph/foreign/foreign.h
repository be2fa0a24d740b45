// Pipelines of other programs: reads and writes their files, and lists settings without counterpart in the other
// program.
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

// A setting that has no counterpart in the other program, or a different meaning there.
struct Loss {
  std::string where;   // "line 12, remove_stripe_ti.beta" of a file that was read, "stripes.columns" of a graph
  std::string value;   // as it is written in the file; "" for a whole node or method
  std::string reason;  // "this program has no such method"
};
// "stripes.columns = found: HTTomo changes all columns"
std::string to_text(const Loss& loss);

// Known properties of the scan for which the pipeline is meant: files of other programs state some of them, or need
// them. Numbers refer to the whole detector, before crops. What needs an unknown property is reported as lost, never
// guessed.
struct ScanFacts {
  std::optional<int64_t> views, columns;
  std::optional<double> pixel_um, energy_kev, distance_mm;  // detector pixel size; distance from sample to detector
};

ScanFacts facts_of(const io::ScanInfo& scan);
// Properties of the scan that the graph loads; none if it cannot be opened. Blocks like read_scan_info().
ScanFacts facts_of(const Graph& graph);

struct ReadPipeline {
  Graph graph;  // may be incomplete: the scan may be missing
  std::vector<Loss> lost;
};
struct WrittenPipeline {
  std::string text;
  std::vector<Loss> lost;
};

// Rotation axes: HTTomo and nabu count columns from 0 at the centre of the first column; here 0 is the detector centre.
struct PipelineFormat {
  std::string_view id;                    // "httomo", for --from and --to
  std::string_view title;                 // "HTTomo"
  std::vector<std::string_view> endings;  // endings of file names; the first one is the usual one
  bool (*is_text_of)(std::string_view);   // whether a text looks like this format; a quick check only
  // Errors: invalid, with the line, for a text of another format, or one without any known step.
  Result<ReadPipeline> (*read)(std::string_view text, const std::string& file, const Registry&, const ScanFacts&);
  // Errors: invalid if no node of the graph has a counterpart.
  Result<WrittenPipeline> (*write)(const Graph&, const Registry&, const ScanFacts&);
};

// HTTomo (YAML), nabu (nabu.conf), ewoks (JSON).
const std::vector<PipelineFormat>& pipeline_formats();
const PipelineFormat* find_pipeline_format(std::string_view id);
// The format by the ending of a file name; nullptr if no format has it.
const PipelineFormat* pipeline_format_by_name(const std::filesystem::path& name);
// The format of a text by its content; nullptr if it has none of these formats.
const PipelineFormat* pipeline_format_of(std::string_view text);

// The text of a file, at most 4 MiB. Errors: io; invalid (too large).
Result<std::string> pipeline_text(const std::filesystem::path& file);

// A pipeline from a file; its inputs are relative to the folder of the file. `facts`: properties of the scan that it
// will read; none: those of the scan that the file names. Untitled pipelines get the name of the file.
Result<ReadPipeline> open_pipeline(const PipelineFormat& format, const std::filesystem::path& file, const Registry&,
                                   const std::optional<ScanFacts>& facts = {});

// One function per format, each in a file of its own.
const PipelineFormat& httomo_format();
const PipelineFormat& nabu_format();
const PipelineFormat& ewoks_format();

}  // namespace tl::foreign
