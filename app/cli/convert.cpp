// tomoloom convert: writes a volume, or a part of it, in another format or number type, slab by slab.
#include "core/io/convert.h"
#include "core/base/text.h"

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/common/cli.h"
#include "core/graph/graph_json.h"
#include "core/graph/output_names.h"
#include "core/io/open_volume.h"
#include "core/io/output/samples.h"
#include "core/node/registry.h"
#include "core/run/automatic/batch.h"

namespace tl::cli {
namespace {

namespace fs = std::filesystem;

struct ConvertArguments {
  std::string input, output, format, region;
  std::optional<io::SampleType> type;
  std::optional<double> low, high;
  io::Compression compression = io::Compression::none;
};

std::string known_ids() {
  std::string text;
  for (const io::VolumeFormat& f : io::volume_formats()) text += (text.empty() ? "" : ", ") + std::string(f.id);
  return text;
}

Result<const io::VolumeFormat*> chosen_format(const ConvertArguments& o) {
  if (o.format.empty()) return io::volume_format_by_name(o.output);
  if (const io::VolumeFormat* format = io::find_volume_format(o.format)) {
    TL_TRY(check_output_name(Registry::all().with_role(NodeRole::save_volume)->id, format->id, o.output));
    return format;
  }
  return invalid("unknown volume format \"" + o.format + "\"", "--format", "Known: " + known_ids());
}

// The folder to which the paths in the text of a volume are relative.
fs::path folder_of(const fs::path& volume, const io::VolumeFormat* format) {
  const fs::path whole = fs::absolute(volume).lexically_normal();
  const fs::path named = whole.has_filename() ? whole : whole.parent_path();
  return format != nullptr && format->output_kind == io::OutputKind::folder ? named : named.parent_path();
}

enum class RangeOrigin { given, measured };

void report_written_files(const Cli& cli, const io::VolumeTarget& target, const io::VolumeFormat& format,
                          RangeOrigin range, int64_t clipped) {
  const VolumeGrid& g = target.grid;
  if (cli.output_mode == OutputMode::json) {
    Json line = {{"event", "done"},
                 {"files", {target.path.string()}},
                 {"format", format.id},
                 {"type", io::sample_type_name(target.type)},
                 {"voxels", {g.nz, g.ny, g.nx}},
                 {"voxel_mm", {norm(g.step_z), norm(g.step_y), norm(g.step_x)}}};
    if (target.type != io::SampleType::float32) {
      line["low"] = target.low;
      line["high"] = target.high;
      line["clipped_voxels"] = clipped;
    }
    print_json(line);
  } else if (cli.output_mode == OutputMode::text) {
    const std::string measured = range != RangeOrigin::measured
                                     ? std::string()
                                     : formatted("; %.6g to %.6g, the range of the finite values, are 0 to %.0f",
                                                 target.low, target.high, io::largest_sample(target.type));
    say(stdout, "wrote " + target.path.string() + ": " + std::string(format.title) + ", " + std::to_string(g.nz) +
                    " x " + std::to_string(g.ny) + " x " + std::to_string(g.nx) + " voxels of " +
                    io::sample_type_name(target.type) + measured);
  }
}

Result<void> run(const ConvertArguments& o, const Cli& cli) {
  io::VolumeConversion wanted;
  wanted.output = o.output;
  TL_TRY(wanted.format, chosen_format(o));
  TL_TRY(const std::unique_ptr<io::VolumeReader> source, io::open_volume(o.input, {}, cli.cancel));
  wanted.type = o.type;
  wanted.low = o.low;
  wanted.high = o.high;
  wanted.compression = o.compression;
  if (!o.region.empty()) {
    TL_TRY(wanted.box, io::parse_box(o.region, source->info().grid));
  }
  wanted.description = moved_description(source->info().description, Registry::all(),
                                         folder_of(o.input, io::find_volume_format(source->info().format)),
                                         folder_of(o.output, wanted.format));
  TL_TRY(wanted.labels, io::label_table_of(source->info()));
  if (!o.type && !o.low && !o.high && io::has_wide_labels(source->info(), wanted.labels)) {
    source->read_labels();
    wanted.type = io::SampleType::int32;
  }
  io::ProtectedFiles files;
  files.add_volume(o.input, source->files());
  if (const auto table = io::label_table_next_to(o.input))
    files.add(*table, "the table of classes of " + fs::path(o.input).filename().string());
  wanted.rules = cli.files.rules(std::move(files));
  if (const fs::path table = io::label_table_file(o.output);
      wanted.labels != LabelTable{} && (!wanted.format->lacks.empty() || fs::exists(table)))
    TL_TRY(check_writable({table}, wanted.rules));
  TL_TRY(wanted, io::with_measured_range(*source, wanted, cli.cancel));
  const bool has_range = wanted.low || wanted.high, was_given = o.low || o.high;
  TL_TRY(const io::VolumeTarget target, io::conversion_target(source->info(), wanted));
  const auto sink = make_run_sink(cli);
  io::ClippedVoxels clipped;
  if (has_range) {
    TL_TRY(clipped, io::count_clipped(*source, wanted, cli.cancel));
  }
  if (clipped.clipped() > 0) sink->message(LogLevel::warning, "", clipped.text({target.type, target.low, target.high}));
  for (const std::string& note : source->info().notes) sink->message(LogLevel::info, "", note);
  if (const std::string note = wanted.format->note_on_scale(target); !note.empty())
    sink->message(LogLevel::warning, "", note);
  if (!wanted.format->lacks.empty() && !source->info().description.empty())
    sink->message(LogLevel::warning, "", std::string(wanted.format->lacks));
  TL_TRY(io::convert_volume(*source, wanted, cli.cancel,
                            [&](int64_t slices, int64_t all) { sink->run_progress(slices, all); }));
  sink->end();
  report_written_files(cli, target, *wanted.format,
                       has_range && !was_given ? RangeOrigin::measured : RangeOrigin::given, clipped.clipped());
  return ok();
}

}  // namespace

void add_convert(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("convert", "Write a volume in another format or number type");
  const auto o = std::make_shared<ConvertArguments>();
  cli.files
      .reads(sub->add_option("IN", o->input, "A volume file, or a folder: TIFF slices, a DICOM series, OME-Zarr"),
             InputKind::volume)
      ->required();
  cli.files
      .writes(sub->add_option("OUT", o->output,
                              "The new file or folder; its ending chooses the format, none a folder of TIFF slices"),
              {.form = OutputForm::file_or_folder})
      ->required();
  sub->add_option("--format", o->format, "Format of the new file: " + known_ids());
  const std::map<std::string, io::SampleType> types = {
      {"float32", io::SampleType::float32}, {"uint16", io::SampleType::uint16}, {"uint8", io::SampleType::uint8}};
  sub->add_option(
         "--type", o->type,
         "float32, uint16 or uint8 (default: as in IN, but float32 for what OUT cannot state; uint16 for DICOM)")
      ->transform(CLI::CheckedTransformer(types).description(""));
  sub->add_option("--low", o->low, "Value that becomes the integer 0");
  sub->add_option("--high", o->high, "Value that becomes the largest integer");
  const std::map<std::string, io::Compression> compressions = {{"none", io::Compression::none},
                                                               {"gzip", io::Compression::gzip}};
  sub->add_option("--compression", o->compression, "none or gzip (lossless), for formats that support it")
      ->transform(CLI::CheckedTransformer(compressions).description(""));
  sub->add_option("--region", o->region, "Only these voxels: z0:z1,y0:y1,x0:x1, ends not included");
  sub->add_flag("--overwrite")->description("Replace an output that exists");
  add_output_flags(*sub, cli);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run(*o, c); }; });
}

}  // namespace tl::cli
