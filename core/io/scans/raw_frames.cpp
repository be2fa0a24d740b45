// Reads scans whose frames are plain numbers in files: described by a MetaImage header (.mhd) whose third axis is the
// view, or without a header, by the user.
#include <algorithm>

#include "core/base/text.h"
#include "core/base/wording.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/reader/scan_format.h"
#include "core/io/scans/raw_scan.h"
#include "core/io/text/frame_names.h"
#include "core/io/text/numbered_frames.h"
#include "core/io/voxels/meta_header.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

bool is_raw_name(const fs::path& file) {
  const std::string ending = lower_case(file.extension().string());
  return ending == ".raw" || ending == ".bin" || ending == ".img" || ending == ".dat";
}

bool is_header_name(const fs::path& file) {
  const std::string ending = lower_case(file.extension().string());
  return ending == ".mhd" || ending == ".mha";
}

// The MetaImage header of a scan: the file itself, or the only one in a folder.
std::optional<fs::path> header_of_scan(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return is_meta_header(path) ? std::optional(path) : std::nullopt;
  const std::vector<fs::path> headers = files_in(path, is_header_name);
  return headers.size() == 1 && is_meta_header(headers.front()) ? std::optional(headers.front()) : std::nullopt;
}

// A MetaImage is a volume as a rule: it is a scan if angles are given, or if flats and darks are looked for.
int sniff_raw_frames(const fs::path& path, const ScanAccess& access) {
  std::error_code failed;
  if (header_of_scan(path)) return access.choices.gives_angles() || access.content == Content::frames_only ? 75 : 20;
  if (access.choices.raw.size.empty()) return 0;
  const bool is_folder = fs::is_directory(path, failed);
  return !is_folder || !files_in(path, is_raw_name).empty() ? 100 : 0;
}

// Pixel sizes of the header. Writers that know none write 1.
void read_spacing(const MetaHeader& header, ScanInfo& info) {
  const std::string spacing = header.get({"ElementSpacing", "ElementSize"});
  auto sizes = numbers_of(spacing, 3);
  if (!sizes) sizes = numbers_of(spacing, 2);
  if (!sizes || !((*sizes)[0] > 0) || !((*sizes)[1] > 0)) return;
  if ((*sizes)[0] == 1 && (*sizes)[1] == 1) {
    info.notes.emplace_back("ElementSpacing is 1, which writers put that know no pixel size: it is not used.");
    return;
  }
  info.pixel_size_u = {(*sizes)[0], Origin::file, "ElementSpacing"};
  info.pixel_size_v = {(*sizes)[1], Origin::file, "ElementSpacing"};
}

Result<void> use_header(const fs::path& file, RawScanParts& parts) {
  parts.headers = {{file, stamp_of(file)}};
  TL_TRY(const MetaHeader header, read_meta_header(file));
  TL_TRY(parts.views, blocks_of_meta(file, header));
  if (parts.views.size() == 1) TL_TRY(check_is_data_of(header, file, parts.views.front()));
  read_spacing(header, parts.info);
  parts.info.notes.push_back("The third axis of " + file.filename().string() + " is the view.");
  return ok();
}

// The block of one file without a header.
Result<RawBlock> block_of_file(const fs::path& file, const RawLayout& layout, ScanInfo& info) {
  const RawSize size = raw_size_of(layout.size).value_or(RawSize{});
  RawBlock block{file, layout.type, layout.order, size.frames.value_or(1), size.rows, size.cols, layout.offset};
  block.behind = TrailingBytes::anything;  // noted below
  const int64_t each = bytes_of_number(layout.type);
  if (each == 0)
    return invalid("numbers of the type \"" + layout.type + "\" cannot be read", "raw_type",
                   "Give uint8, int8, uint16, int16, uint32, int32, uint64, int64, float32 or float64");
  TL_TRY(check_sizes(block.pages, block.rows, block.cols, file.string()));
  std::error_code failed;
  const auto length = static_cast<int64_t>(fs::file_size(file, failed));
  const int64_t frame = block.rows * block.cols * each, there = failed ? 0 : length - layout.offset;
  const int64_t left = size.frames ? there - block.pages * frame : there % frame;
  if (!size.frames) block.pages = there / frame;
  const std::string text = std::to_string(size.cols) + " x " + std::to_string(size.rows) + " " + layout.type;
  if (!size.frames && (left != 0 || block.pages < 1))
    return invalid("the file does not hold an integer number of frames of " + text + ": of " + std::to_string(there) +
                       " bytes after the offset, " + std::to_string(left) + " are left over",
                   file.string(), "Check size, type and offset, or say how many frames it holds: 2048x2048x1500");
  if (left > 0)
    info.notes.push_back(std::to_string(left) + " bytes after the last frame of " + file.filename().string() +
                         " are not read: check size, type and offset.");
  return block;
}

// The files of a folder: views, flats and darks by their names; the number of frames is that of the views. With
// sinograms [view, column], flats and darks have the detector's rows, as many as there are sinograms.
Result<void> use_layout(const fs::path& path, const RawLayout& layout, RawScanParts& parts) {
  std::error_code failed;
  ScanInfo& info = parts.info;
  if (!fs::is_directory(path, failed)) {
    TL_TRY(RawBlock block, block_of_file(path, layout, info));
    parts.views = {std::move(block)};
    return ok();
  }
  RawLayout of_kind = layout;
  for (const FrameKind kind : {FrameKind::projection, FrameKind::flat, FrameKind::dark}) {
    auto& blocks = kind == FrameKind::projection ? parts.views : kind == FrameKind::flat ? parts.flats : parts.darks;
    for (const fs::path& file : files_in(path, is_raw_name)) {
      if (frame_kind(file.stem().string()) != kind) continue;
      TL_TRY(RawBlock block, block_of_file(file, of_kind, info));
      blocks.push_back(std::move(block));
    }
    if (kind != FrameKind::projection) continue;
    of_kind.size = size_of_frame(layout.size);
    if (parts.order == FrameOrder::sinograms && !blocks.empty())
      of_kind.size = std::to_string(blocks.front().cols) + "x" + std::to_string(pages_in(blocks));
  }
  return ok();
}

// What the numbers in the names leave out, where every view has a file of its own.
std::optional<NumberedFrames> numbers_of_files(const RawScanParts& parts) {
  std::vector<fs::path> views, references;
  for (const RawBlock& block : parts.views) {
    if (block.pages != 1) return std::nullopt;
    views.push_back(block.file);
  }
  for (const auto* blocks : {&parts.flats, &parts.darks})
    for (const RawBlock& block : *blocks) references.push_back(block.file);
  return numbered_frames(views, references);
}

// References alone are not a scan, but may be all that is wanted.
Result<void> check_there_are_views(const RawScanParts& parts, Content content) {
  if (!parts.views.empty()) return ok();
  const bool has_references = !parts.flats.empty() || !parts.darks.empty();
  if (content == Content::frames_only && has_references) return ok();
  return has_references ? invalid("the folder holds flats or darks, but no views", parts.info.path.string(),
                                  "Views are the files whose names say neither flat nor dark")
                        : invalid("the folder holds no raw frames", parts.info.path.string(),
                                  "Frames end in .raw, .bin, .img or .dat");
}

Result<std::unique_ptr<ScanReader>> open_raw_frames(const fs::path& path, const ScanAccess& access) {
  const ScanChoices& choices = access.choices;
  if (!choices.angles_dataset.empty())
    return invalid("raw frames hold no datasets", path.string(),
                   "Give the angles as a text file or as first angle and step");
  RawScanParts parts;
  ScanInfo& info = parts.info;
  info.path = path;
  info.format = "raw_frames";
  const auto header = header_of_scan(path);
  if (!header && choices.raw.size.empty())
    return invalid("raw frames need their size", path.string(),
                   two_wordings("Give it: --raw-size 2048x2048x1500 --raw-type uint16",
                                "Fill in Raw: size and Raw: numbers in the form of the load node"));
  if (header && !choices.gives_angles() && access.content == Content::scan)
    return invalid("a MetaImage is a scan only if its angles are given", path.string(),
                   two_wordings("Give them: --angles angles.txt or --angles 0:0.5. To show a volume, open it as one",
                                "Fill in Angles as text or Step between views in the form of the load node"));
  parts.order = choices.order == FrameOrder::sinograms ? FrameOrder::sinograms : FrameOrder::views;
  TL_TRY(header ? use_header(*header, parts) : use_layout(path, choices.raw, parts));
  TL_TRY(check_there_are_views(parts, access.content));
  TL_TRY(measure_blocks(parts));
  TL_TRY(apply_and_guess(choices, header ? std::nullopt : numbers_of_files(parts), info));
  return make_raw_scan(std::move(parts));
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(raw_frames) {
  return {"raw_frames",
          "Raw frames",
          ".mhd .mha .raw",
          "Plain numbers: with a MetaImage header whose third axis is the view, or of a size and type given by hand.",
          tl::io::sniff_raw_frames,
          tl::io::open_raw_frames};
}
