// DICOM: a series of slices, one a file in a folder, or one file of many frames.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/text.h"
#include "core/io/dicom/header.h"
#include "core/io/dicom/series_ends.h"
#include "core/io/volumes/dicom_writer.h"
#include "core/io/volumes/format.h"
#include "core/io/voxels/raw_voxels.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

struct DicomSlice {
  fs::path file;
  RawBlock block;           // its frames are the pages
  int64_t stored_bits = 0;  // of the bits of a number; the others are not part of it
  bool is_signed = false;
  ValueScale scale;
  Vec3 first, col_direction, row_direction;  // [mm], LPS
  bool has_position = false;
  std::optional<std::vector<double>> spacing;  // of rows, of columns [mm]
  std::optional<double> thickness;             // distance of slices [mm]
  std::optional<double> number;                // in its series
  std::optional<double> all;                   // slices of its acquisition
  bool is_ours = false;
  std::string unit, record;
};

// Integers that float32, as which voxels are read, holds all of.
constexpr int64_t exact_bits = 24;

Error no_pixels(const fs::path& file) {
  return invalid("the file holds no pixels", file.string(), "Choose the files of an image series");
}

Result<RawBlock> block_of_dicom(const DicomHeader& h, const fs::path& file) {
  const std::string where = file.string();
  RawBlock block;
  block.file = file;
  if (!h.not_read.empty())
    return unavailable(h.not_read, where, "Convert the series by another program, to NIfTI or MetaImage for example");
  if (h.pixels_at == 0) return no_pixels(file);
  if (!h.compression.empty() || !h.pixels_bytes)
    return unavailable("its pixels are compressed" + (h.compression.empty() ? "" : " as " + h.compression), where,
                       "Write it uncompressed first, for example by the programs gdcmconv or dcmdjpeg");
  if (h.has_frame_groups)
    return unavailable("its frames are described by functional groups (5200,9229 and 5200,9230), which are not read",
                       where, "Write one file per slice first, for example by the program emf2sf");
  if (const int64_t n = h.integer(dicom::samples_per_pixel, 1); n != 1)
    return invalid("its pixels have " + std::to_string(n) + " colours", where, "Volumes have one value a voxel");
  if (const std::string kind = h.text(dicom::photometric); !kind.empty() && !kind.starts_with("MONOCHROME"))
    return invalid("its pixels are of the kind " + kind, where, "Volumes have one value a voxel");
  const int64_t bits = h.integer(dicom::bits_allocated, 0);
  const bool negative = h.integer(dicom::is_signed, 0) == 1;
  if (bits != 8 && bits != 16 && bits != 32)
    return invalid("its pixels have " + std::to_string(bits) + " bits", where,
                   "Pixels of 8, 16 or 32 bits can be read");
  block.type = (negative ? "int" : "uint") + std::to_string(bits);
  block.rows = h.integer(dicom::rows, 0);
  block.cols = h.integer(dicom::cols, 0);
  const auto frames = integers_of(h.text(dicom::frames), 1);
  block.pages = frames ? frames->front() : 1;
  block.offset = h.pixels_at;
  block.behind = TrailingBytes::anything;  // padding of the element, and other elements
  TL_TRY(check_volume_sizes(block.pages, block.rows, block.cols, where));
  const int64_t frame = block.rows * block.cols * bytes_of_number(block.type);
  if (block.pages * frame > *h.pixels_bytes)
    return invalid("it has fewer pixels than rows and columns claim", where, "The file is damaged: copy it again");
  // An element of even length may have a byte more.
  if (*h.pixels_bytes - block.pages * frame >= std::max<int64_t>(frame, 2))
    return invalid("it has more pixels than its rows, columns and number of frames require", where,
                   "The header is damaged, or the pixels are of another kind: copy or write it again");
  return block;
}

Result<DicomSlice> slice_in(const DicomHeader& h, const fs::path& file) {
  DicomSlice slice;
  slice.file = file;
  TL_TRY(slice.block, block_of_dicom(h, file));
  const int64_t bits = h.integer(dicom::bits_allocated, 16);
  slice.stored_bits = std::clamp<int64_t>(h.integer(dicom::bits_stored, bits), 1, bits);
  slice.is_signed = h.integer(dicom::is_signed, 0) == 1;
  if (slice.stored_bits < bits && h.integer(dicom::high_bit, slice.stored_bits - 1) != slice.stored_bits - 1)
    return unavailable("its pixels do not begin with the lowest bit", file.string(), "Export it again in another form");
  if (slice.stored_bits > exact_bits && slice.stored_bits < bits)
    return unavailable("its pixels have " + std::to_string(slice.stored_bits) + " of " + std::to_string(bits) + " bits",
                       file.string(), "Write it with pixels of 16 bits");
  const auto low = h.numbers(dicom::intercept, 1), step = h.numbers(dicom::slope, 1);
  slice.scale = {low ? low->front() : 0, step && step->front() != 0 ? step->front() : 1};
  const auto first = h.numbers(dicom::position, 3), directions = h.numbers(dicom::orientation, 6);
  if (first && directions) {
    slice.first = {(*first)[0], (*first)[1], (*first)[2]};
    slice.col_direction = {(*directions)[0], (*directions)[1], (*directions)[2]};
    slice.row_direction = {(*directions)[3], (*directions)[4], (*directions)[5]};
    slice.has_position = norm(cross(slice.col_direction, slice.row_direction)) > 0;
  }
  slice.spacing = h.numbers(dicom::pixel_spacing, 2);
  if (slice.spacing && !((*slice.spacing)[0] > 0 && (*slice.spacing)[1] > 0)) slice.spacing.reset();
  for (const uint32_t tag : {dicom::slice_thickness, dicom::slice_spacing})
    if (const auto mm = h.numbers(tag, 1); mm && mm->front() > 0) slice.thickness = mm->front();
  if (const auto number = h.numbers(dicom::instance_number, 1)) slice.number = number->front();
  if (const auto all = h.numbers(dicom::images_in_acquisition, 1)) slice.all = all->front();
  slice.is_ours = h.text(dicom::manufacturer) == dicom::creator;
  slice.unit = h.text(dicom::rescale_type);
  if (h.text(dicom::private_creator) == dicom::creator) slice.record = h.text(dicom::private_record);
  return slice;
}

// Takes away bits that are not part of the numbers, for example overlays, and restores the sign. Unavailable where they
// made float32 lose bits that are.
Result<void> keep_stored_bits(const DicomSlice& slice, const at::Tensor& out) {
  if (slice.stored_bits >= 8 * bytes_of_number(slice.block.type)) return ok();
  constexpr float largest = int64_t{1} << exact_bits;
  const int64_t mask = (int64_t{1} << slice.stored_bits) - 1, sign = int64_t{1} << (slice.stored_bits - 1);
  for (int64_t k = 0; k < out.size(0); ++k) {
    float* const page = out.data_ptr<float>() + k * out.stride(0);
    for (int64_t i = 0; i < out.size(1) * out.size(2); ++i) {
      if (!(std::abs(page[i]) < largest))
        return unavailable(
            "its pixels have 32 bits, of which not only the lowest " + std::to_string(slice.stored_bits) + " are used",
            slice.file.string(), "Write it with pixels of 16 bits");
      const int64_t value = static_cast<int64_t>(page[i]) & mask;
      page[i] = static_cast<float>(slice.is_signed && (value & sign) != 0 ? value - mask - 1 : value);
    }
  }
  return ok();
}

enum class SliceScales : uint32_t { equal, differ };

class DicomVoxels final : public StoredVoxels {
 public:
  // If scales differ, the numbers that are read have theirs applied.
  DicomVoxels(std::vector<DicomSlice> slices, SliceScales scales) : slices_(std::move(slices)), scales_(scales) {}
  Result<void> read(const GridBox& box, const at::Tensor& out) override {
    if (out.scalar_type() != at::kFloat)
      return unavailable("its pixels are read as floats", slices_.front().file.string());
    if (slices_.size() == 1) return read_file(slices_.front(), box, out);
    for (int64_t k = 0; k < box.z.size(); ++k)
      TL_TRY(
          read_file(slices_[static_cast<std::size_t>(box.z.begin + k)], {{0, 1}, box.y, box.x}, out.narrow(0, k, 1)));
    return ok();
  }

 private:
  Result<void> read_file(const DicomSlice& slice, const GridBox& box, const at::Tensor& out) const {
    TL_TRY(const std::unique_ptr<StoredVoxels> voxels, raw_voxels(slice.block));
    TL_TRY(voxels->read(box, out));
    TL_TRY(keep_stored_bits(slice, out));
    if (scales_ == SliceScales::equal) return ok();
    for (int64_t i = 0; i < box.y.size() * box.x.size(); ++i) {
      float& value = out.data_ptr<float>()[i];
      value = static_cast<float>(slice.scale.low + slice.scale.step * static_cast<double>(value));
    }
    return ok();
  }
  std::vector<DicomSlice> slices_;
  SliceScales scales_;
};

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    if (it->is_regular_file(failed) && !it->path().filename().string().starts_with('.')) files.push_back(it->path());
  std::sort(files.begin(), files.end());
  return files;
}

struct DicomFile {
  fs::path file;
  DicomHeader header;
};

void note_left_out(const std::vector<fs::path>& files, std::vector<std::string>& notes) {
  constexpr std::size_t named = 3;
  if (files.empty()) return;
  std::string names;
  for (std::size_t i = 0; i < std::min(named, files.size()); ++i)
    names += (i == 0 ? "" : ", ") + files[i].filename().string();
  if (files.size() > named) names += " and " + std::to_string(files.size() - named) + " more";
  notes.push_back("The folder holds files that are not slices, which are left out: " + names + ".");
}

// The slices of the largest series in a folder. Other files are left out, and noted.
Result<std::vector<DicomSlice>> series_in(const fs::path& folder, std::vector<std::string>& notes) {
  std::map<std::string, std::vector<DicomFile>> series;
  std::vector<DicomFile> without_pixels;  // directories, reports
  std::vector<fs::path> left_out;
  for (const fs::path& file : files_in(folder)) {
    // A file named like a slice that is not DICOM was cut off: without it the volume would be smaller.
    if (!is_dicom(file) && lower_case(file.extension().string()) != ".dcm") {
      left_out.push_back(file);
      continue;
    }
    TL_TRY(DicomHeader header, read_dicom_header(file));
    auto& files = header.pixels_at == 0 ? without_pixels : series[header.text(dicom::series_uid)];
    files.push_back({file, std::move(header)});
  }
  if (series.empty() && !without_pixels.empty()) return no_pixels(without_pixels.front().file);
  if (series.empty())
    return invalid("the folder holds no DICOM files", folder.string(), "Choose another format, or detect it");
  const auto& [largest_uid, largest] = *std::max_element(
      series.begin(), series.end(), [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  for (const DicomFile& one : without_pixels) {
    // An image that was cut off.
    const bool of_series = !largest_uid.empty() && one.header.text(dicom::series_uid) == largest_uid;
    if (of_series || one.header.values.contains(dicom::rows)) return no_pixels(one.file);
    left_out.push_back(one.file);
  }
  note_left_out(left_out, notes);
  if (series.size() > 1)
    notes.push_back("The folder holds " + std::to_string(series.size()) + " series: the one with most slices, " +
                    std::to_string(largest.size()) + ", is read.");
  std::vector<DicomSlice> slices;
  for (const DicomFile& one : largest) {
    TL_TRY(DicomSlice slice, slice_in(one.header, one.file));
    slices.push_back(std::move(slice));
  }
  return slices;
}

double along_normal(const DicomSlice& s) { return dot(cross(s.col_direction, s.row_direction), s.first); }

// Whether rows and columns are as far apart, or unknown, in both.
bool have_one_spacing(const DicomSlice& a, const DicomSlice& b) {
  constexpr double rounding = 1e-3;
  if (!a.spacing || !b.spacing) return a.spacing == b.spacing;
  return std::equal(a.spacing->begin(), a.spacing->end(), b.spacing->begin(),
                    [](double one, double other) { return std::abs(one - other) <= rounding * one; });
}

// Slices without a position: their numbers must have no gaps.
Result<void> check_numbers(const std::vector<DicomSlice>& slices, std::vector<std::string>& notes) {
  if (std::none_of(slices.begin(), slices.end(), [](const DicomSlice& s) { return s.number.has_value(); })) {
    notes.emplace_back("The slices state neither position nor number: they are in the order of their names.");
    return ok();
  }
  for (std::size_t k = 0; k < slices.size(); ++k) {
    const std::string where = slices[k].file.string();
    if (!slices[k].number)
      return invalid("the slice states neither its position nor its number", where, "Remove it from the folder");
    if (k == 0) continue;
    const double here = *slices[k].number - *slices[k - 1].number, usual = *slices[1].number - *slices[0].number;
    if (!(here > 0) || here != usual)
      return invalid("the slice has the number " + std::to_string(std::llround(*slices[k].number)) + " behind " +
                         std::to_string(std::llround(*slices[k - 1].number)) + ", others are " +
                         std::to_string(std::llround(usual)) + " apart",
                     where, "Slices are missing, or several have one number: complete the series");
  }
  return ok();
}

// Slices with a position: they must lie on one line, at equal distances.
Result<void> check_positions(const std::vector<DicomSlice>& slices) {
  constexpr double uneven = 0.01, max_offset = 0.1;  // of the distance of slices; of the smallest edge of a voxel
  const DicomSlice &one = slices.front(), &last = slices.back();
  const double parts = static_cast<double>(slices.size() - 1);
  const double distance = (along_normal(last) - along_normal(one)) / parts;
  const Vec3 step = (1 / parts) * (last.first - one.first);
  const double edge = one.spacing ? std::min({distance, (*one.spacing)[0], (*one.spacing)[1]}) : distance;
  for (std::size_t k = 1; k < slices.size(); ++k) {
    const std::string where = slices[k].file.string();
    const double here = along_normal(slices[k]) - along_normal(slices[k - 1]);
    if (!(std::abs(here - distance) <= uneven * distance) || !(here > 0))
      return invalid("the slices have unequal distances: " + std::to_string(here) + " mm before this one, " +
                         std::to_string(distance) + " mm on average",
                     where, "Slices are missing, or several slices have one position: complete the series");
    if (const double off = norm(slices[k].first - (one.first + static_cast<double>(k) * step));
        !(off <= max_offset * edge))
      return invalid("the slice lies " + std::to_string(off) + " mm off the line of the others", where,
                     "Remove the slices that were moved, or resample the series first");
  }
  return ok();
}

// Checks that the slices are one volume, and puts them in order.
Result<void> order_slices(std::vector<DicomSlice>& slices, std::vector<std::string>& notes) {
  constexpr double parallel = 1e-4;  // of a direction
  const bool placed = std::all_of(slices.begin(), slices.end(), [](const DicomSlice& s) { return s.has_position; });
  std::stable_sort(slices.begin(), slices.end(), [&](const DicomSlice& a, const DicomSlice& b) {
    return placed ? along_normal(a) < along_normal(b) : a.number < b.number;
  });
  const DicomSlice& one = slices.front();
  for (const DicomSlice& s : slices) {
    if (s.block.rows != one.block.rows || s.block.cols != one.block.cols || s.block.type != one.block.type ||
        s.stored_bits != one.stored_bits || s.block.pages != 1)
      return invalid("the slice has another size, type or number of frames than the others", s.file.string(),
                     "All slices of a volume have one size and type: remove the odd one");
    if (!have_one_spacing(one, s))
      return invalid("the slice has another distance of its pixels (PixelSpacing) than the others", s.file.string(),
                     "All slices of a volume have pixels of one size: remove the odd one");
    if (placed && norm(s.col_direction - one.col_direction) + norm(s.row_direction - one.row_direction) > parallel)
      return invalid("the slice is not parallel to the others", s.file.string(), "Remove it from the folder");
  }
  return placed ? check_positions(slices) : check_numbers(slices, notes);
}

DicomSeriesEnds series_ends(const std::vector<DicomSlice>& slices) {
  DicomSeriesEnds ends{static_cast<int64_t>(slices.size()), {}, slices.front().all, slices.front().is_ours};
  for (const DicomSlice& s : slices)
    if (s.number && !(ends.first && *ends.first <= *s.number)) ends.first = s.number;
  return ends;
}

void place_dicom(const std::vector<DicomSlice>& slices, StoredVolume& volume) {
  VolumeFileInfo& info = volume.info;
  const DicomSlice &first = slices.front(), &last = slices.back();
  const int64_t pages = slices.size() > 1 ? static_cast<int64_t>(slices.size()) : first.block.pages;
  FileAxes axes = usual_axes(pages, first.block.rows, first.block.cols, {1, 1, 1});
  const bool apart = first.has_position && slices.size() > 1;
  if (!first.spacing) {
    guess_voxel_size(info);
    set_grid(axes, volume);
    return;
  }
  const double rows = (*first.spacing)[0], cols = (*first.spacing)[1];
  if (!first.thickness && !apart && pages > 1)
    info.notes.emplace_back("The file does not state the distance between slices: the distance between rows is used.");
  const double thickness = first.thickness.value_or(rows);
  info.voxel_size = Origin::file;
  info.voxel_size_source = "PixelSpacing";
  if (first.has_position) {
    axes.col_step = cols * first.col_direction;
    axes.row_step = rows * first.row_direction;
    axes.page_step = apart ? (1 / static_cast<double>(pages - 1)) * (last.first - first.first)
                           : thickness * cross(first.col_direction, first.row_direction);
    axes.centre = centre_from_first(axes, first.first);
    info.position = Origin::file;
  } else {
    axes = usual_axes(pages, first.block.rows, first.block.cols, {cols, rows, thickness});
  }
  set_grid(axes, volume);
}

int sniff_dicom(const fs::path& path) {
  constexpr std::size_t few = 32;  // a folder may hold other files besides
  std::error_code failed;
  if (fs::is_regular_file(path, failed)) return is_dicom(path) ? 95 : 0;
  if (!fs::is_directory(path, failed)) return 0;
  const std::vector<fs::path> files = files_in(path);
  const auto end = files.begin() + static_cast<std::ptrdiff_t>(std::min(files.size(), few));
  return std::any_of(files.begin(), end, is_dicom) ? 70 : 0;
}

Result<StoredVolume> open_dicom(const fs::path& path, const VolumeAccess& /*access*/) {
  StoredVolume volume;
  VolumeFileInfo& info = volume.info;
  info.path = path;
  info.format = "dicom";
  std::vector<DicomSlice> slices;
  std::error_code failed;
  if (fs::is_directory(path, failed)) {
    TL_TRY(slices, series_in(path, info.notes));
  } else {
    TL_TRY(const DicomHeader header, read_dicom_header(path));
    TL_TRY(DicomSlice one, slice_in(header, path));
    slices.push_back(std::move(one));
  }
  if (slices.size() > 1) TL_TRY(order_slices(slices, info.notes));
  if (fs::is_directory(path, failed)) TL_TRY(check_ends(series_ends(slices), path, info.notes));
  place_dicom(slices, volume);
  const DicomSlice& first = slices.front();
  const bool equal =
      std::all_of(slices.begin(), slices.end(), [&](const DicomSlice& s) { return s.scale == first.scale; });
  info.voxel_type = equal ? first.block.type : "float32";  // values, where slices have scales of their own
  if (equal && first.scale != ValueScale{}) info.scale = first.scale;
  if (const auto unit = parse_unit(first.unit); unit.ok()) info.unit = unit.value();
  for (const DicomSlice& s : slices) {
    if (info.description.empty()) info.description = s.record;
    volume.files.push_back({s.file, stamp_of(s.file)});
  }
  volume.voxels = std::make_unique<DicomVoxels>(std::move(slices), equal ? SliceScales::equal : SliceScales::differ);
  return volume;
}

}  // namespace
}  // namespace tl::io

::tl::io::VolumeFormat tl_volume_format_dicom() {
  return {"dicom",
          "DICOM series",
          ".dicom .dcm",
          "A folder of one file per slice, for programs of medical imaging: 16-bit integers with slope and intercept.",
          "",
          tl::io::sniff_dicom,
          tl::io::open_dicom,
          tl::io::write_dicom,
          tl::io::OutputKind::folder,
          "uint16",
          tl::io::Compression::none};
}
