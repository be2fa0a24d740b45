// NRRD: a text header and a block of numbers, raw or packed by gzip, in one file (.nrrd) or in two (.nhdr).
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/base/text.h"
#include "core/io/bytes/reader_limits.h"
#include "core/io/keys/header_keys.h"
#include "core/io/output/samples.h"
#include "core/io/volumes/format.h"
#include "core/io/voxels/meta_header.h"
#include "core/io/voxels/raw_volume_writer.h"
#include "core/io/voxels/raw_voxels.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_nrrd_header = std::size_t{16} << 20;  // an embedded pipeline may be large
// Keys of our own, which other programs keep as text.
constexpr const char *nrrd_offset = "value offset", *nrrd_step = "value step", *nrrd_record = "tomoloom";

// Each type, and the names that NRRD knows for it.
constexpr std::pair<const char*, std::string_view> nrrd_types[] = {
    {"int8", "|signed char|int8|int8_t|"},
    {"uint8", "|uchar|unsigned char|uint8|uint8_t|"},
    {"int16", "|short|short int|signed short|int16|int16_t|"},
    {"uint16", "|ushort|unsigned short|unsigned short int|uint16|uint16_t|"},
    {"int32", "|int|signed int|int32|int32_t|"},
    {"uint32", "|uint|unsigned int|uint32|uint32_t|"},
    {"int64", "|longlong|long long|long long int|int64|int64_t|"},
    {"uint64", "|ulonglong|unsigned long long|unsigned long long int|uint64|uint64_t|"},
    {"float32", "|float|"},
    {"float64", "|double|"}};

struct NrrdHeader {
  std::map<std::string, std::string> fields;  // names in lower case
  std::map<std::string, std::string> pairs;   // "key:=value"
  int64_t bytes = 0;                          // with the empty line at its end

  [[nodiscard]] std::string get(std::initializer_list<const char*> names) const {
    for (const char* name : names)
      if (const auto found = fields.find(name); found != fields.end()) return found->second;
    return {};
  }
};

// In values of pairs, line ends and backslashes stand as \n and \\.
std::string nrrd_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? "\\n" : c == '\\' ? "\\\\" : std::string(1, c);
  return out;
}
std::string nrrd_unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size();
    if (escape) ++i;
    out += escape && text[i] == 'n' ? '\n' : text[i];
  }
  return out;
}

Result<NrrdHeader> read_nrrd_header(const fs::path& path) {
  TL_TRY(const std::string text, first_bytes(path, longest_nrrd_header, Packing::none));
  NrrdHeader header;
  std::size_t at = std::min(text.find('\n'), text.size() - 1) + 1;  // behind the magic
  bool ended = false;
  while (at < text.size() && !ended) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.pop_back();
    at = std::min(end + 1, text.size());
    ended = line.empty();
    if (line.empty() || line.front() == '#') continue;
    const auto pair = line.find(":="), field = line.find(": ");
    if (pair != std::string::npos && (field == std::string::npos || pair < field))
      header.pairs[line.substr(0, pair)] = nrrd_unescaped(line.substr(pair + 2));
    else if (field != std::string::npos)
      header.fields[lower_case(line.substr(0, field))] = std::string(trimmed(line.substr(field + 2)));
    else
      return invalid("the header has a line that is not FIELD: VALUE", path.string(), "The file is probably damaged");
  }
  header.bytes = static_cast<int64_t>(at);
  const bool apart = !header.get({"data file", "datafile"}).empty();
  if (!ended && !apart)
    return invalid("the header does not end", path.string(), "The file is truncated or damaged: copy it again");
  return header;
}

// Kinds of axes along which voxels lie; others, such as colours or components of vectors, are not directions of space.
Result<void> check_kinds(const NrrdHeader& header, const std::string& where) {
  constexpr std::array<std::string_view, 4> of_space = {"domain", "space", "none", "???"};
  for (const std::string& kind : words_of(header.get({"kinds"})))
    if (std::find(of_space.begin(), of_space.end(), lower_case(kind)) == of_space.end())
      return invalid("an axis is of the kind \"" + kind + "\", not of space (kinds)", where,
                     "Volumes have one number a voxel: save one component a file");
  return ok();
}

// Bytes that unpacking by gzip gives from an offset on.
Result<int64_t> unpacked_length(const fs::path& file, int64_t from) {
  const int handle = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0 || lseek(handle, from, SEEK_SET) != from) {
    if (handle >= 0) close(handle);
    return io_error("the file with the voxels cannot be opened", file.string(), "Check that it is there");
  }
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> packed(gzdopen(handle, "rb"), gzclose);
  std::array<char, 1 << 16> piece;  // NOLINT: what is unpacked is only counted
  int64_t length = 0;
  int got = 0;
  while ((got = gzread(packed.get(), piece.data(), piece.size())) > 0) {
    allow_more_cpu_time(cpu_time_for(got));
    length += got;
  }
  if (int state = Z_OK; gzerror(packed.get(), &state) == nullptr || state != Z_OK)
    return io_error("the voxels cannot be unpacked", file.string(), "The file is damaged or incomplete: copy it again");
  return length;
}

Result<RawBlock> block_of_nrrd(const fs::path& path, const NrrdHeader& header) {
  const std::string where = path.string();
  RawBlock block;
  const std::string type = header.get({"type"});
  for (const auto& [ours, names] : nrrd_types)
    if (names.find("|" + type + "|") != std::string_view::npos) block.type = ours;
  if (block.type.empty())
    return invalid("voxels of the type \"" + type + "\" cannot be read", where, "Save integers or floats");
  const std::string dimension = header.get({"dimension"});
  if (dimension != "3" && dimension != "2")
    return invalid("the array has " + (dimension.empty() ? "no" : dimension) + " dimensions", where,
                   "Volumes have 3: save one volume a file");
  TL_TRY(check_kinds(header, where));
  const std::size_t rank = dimension == "3" ? 3 : 2;
  const auto sizes = integers_of(header.get({"sizes"}), rank);
  if (!sizes) return invalid("the sizes are not " + dimension + " integers", where, "Correct the header");
  block.cols = (*sizes)[0];
  block.rows = (*sizes)[1];
  block.pages = rank == 3 ? (*sizes)[2] : 1;
  const std::string order = lower_case(header.get({"endian"}));
  if (order != "little" && order != "big" && (!order.empty() || bytes_of_number(block.type) > 1))
    return invalid(order.empty() ? "the header does not say in which order the bytes of a number stand (endian)"
                                 : "endian is \"" + order + "\"",
                   where, "Add endian: little, or endian: big");
  block.order = order == "big" ? ByteOrder::big : ByteOrder::little;
  const std::string encoding = lower_case(header.get({"encoding"}));
  if (encoding == "gz" || encoding == "gzip")
    block.packing = Packing::gzip;
  else if (encoding != "raw")
    return unavailable("its voxels are stored as \"" + encoding + "\"", where,
                       "Save the volume with the encoding raw or gzip");
  block.file = path;
  int64_t start = header.bytes;
  if (const std::string data = header.get({"data file", "datafile"}); !data.empty()) {
    if (names_many_files(data))
      return unavailable("its slices are separate files", where, "Save the voxels as one file");
    TL_TRY(block.file, names_companion(path, data));
    start = 0;
  }
  if (!header.get({"line skip", "lineskip"}).empty() && header.get({"line skip", "lineskip"}) != "0")
    return unavailable("its voxels follow lines of text (line skip)", where, "Save the volume as one .nrrd file");
  int64_t skip = 0;
  if (const std::string text = header.get({"byte skip", "byteskip"}); !text.empty()) {
    const auto bytes = integers_of(text, 1);
    if (!bytes || bytes->front() < -1)
      return invalid("byte skip is \"" + text + "\", not a number of bytes or -1", where, "Correct the header");
    skip = bytes->front();
    // A header may name one of several volumes in a file.
    if (skip > 0 && block.file != path) block.behind = TrailingBytes::other_volumes;
  }
  TL_TRY(check_volume_sizes(block.pages, block.rows, block.cols, where));
  if (skip == -1) {  // the voxels are the end of the file, or of what unpacking gives
    std::error_code failed;
    const auto length = static_cast<int64_t>(fs::file_size(block.file, failed));
    if (failed)
      return io_error("the file with the voxels does not exist", block.file.string(), "Put it next to the header");
    const int64_t voxels = block.pages * block.rows * block.cols * bytes_of_number(block.type);
    TL_TRY(const int64_t there,
           block.packing == Packing::none ? Result<int64_t>(length - start) : unpacked_length(block.file, start));
    skip = there - voxels;
  }
  // NRRD skips bytes of what unpacking gives.
  block.packed_from = start;
  block.offset = block.packing == Packing::gzip ? skip : start + skip;
  return block;
}

// "(1,0,0) (0,1,0) (0,0,1)"; nothing if there are not `count` of them.
std::optional<std::vector<Vec3>> parse_vectors(std::string text, std::size_t count) {
  for (char& c : text)
    if (c == '(' || c == ')') c = ' ';
  const auto numbers = numbers_of(text, 3 * count);
  if (!numbers) return std::nullopt;
  std::vector<Vec3> vectors;
  for (std::size_t i = 0; i < count; ++i)
    vectors.push_back({(*numbers)[3 * i], (*numbers)[3 * i + 1], (*numbers)[3 * i + 2]});
  return vectors;
}

// Millimetres of the header's unit of length; 1 if it names none.
Result<double> nrrd_unit(const NrrdHeader& header, const std::string& where) {
  std::string text = header.get({"space units", "units"});
  std::erase(text, '"');
  const auto words = words_of(text);
  if (words.empty()) return 1.0;
  const auto unit = parse_unit(words.front());
  if (!unit.ok() || dimension(unit.value()) != Dimension::length)
    return invalid("the unit \"" + words.front() + "\" is not a unit of length", where, "Correct the header");
  return to_stored(1, unit.value());
}

// The distance of the centres of voxels along an axis, from the ends that "axis mins" and "axis maxs" state.
std::optional<double> step_of_ends(const NrrdHeader& header, std::size_t axis, std::size_t rank, int64_t length) {
  const auto low = numbers_of(header.get({"axis mins", "axismins"}), rank),
             high = numbers_of(header.get({"axis maxs", "axismaxs"}), rank);
  if (!low || !high) return std::nullopt;
  const auto centers = words_of(header.get({"centers", "centerings"}));
  const bool between_centres = axis < centers.size() && lower_case(centers[axis]) == "node";
  const auto steps = static_cast<double>(between_centres ? length - 1 : length);
  const double step = ((*high)[axis] - (*low)[axis]) / steps;
  return std::isfinite(step) && step > 0 ? std::optional(step) : std::nullopt;
}

// Whether the space has another unit of the three axes than a header can say in one word; its names end in "time".
bool is_known_space(const std::string& space) {
  constexpr std::array<std::string_view, 9> known = {"",
                                                     "lps",
                                                     "ras",
                                                     "las",
                                                     "left-posterior-superior",
                                                     "right-anterior-superior",
                                                     "left-anterior-superior",
                                                     "scanner-xyz",
                                                     "3d-right-handed"};
  return std::find(known.begin(), known.end(), lower_case(space)) != known.end();
}

// From the header's space to left, posterior, superior, the space of ITK's world.
Vec3 in_our_space(Vec3 v, const std::string& space) {
  const std::string s = lower_case(space);
  const bool right = s == "ras" || s.starts_with("right-"), anterior = right || s == "las" || s.starts_with("left-ant");
  return {right ? -v.x : v.x, anterior ? -v.y : v.y, v.z};
}

Result<void> place_nrrd(const NrrdHeader& header, const RawBlock& block, StoredVolume& volume) {
  VolumeFileInfo& info = volume.info;
  FileAxes axes{block.pages, block.rows, block.cols, {}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
  const std::size_t rank = header.get({"dimension"}) == "3" ? 3 : 2;
  TL_TRY(const double mm, nrrd_unit(header, info.path.string()));
  const std::string space = header.get({"space"});
  if (!is_known_space(space))
    info.notes.push_back("The space \"" + space + "\" is not known: its axes are taken as left, posterior, superior.");
  const std::string stated = header.get({"space directions"});
  const auto directions = parse_vectors(stated, rank);
  if (!directions && !stated.empty() && rank == 3)
    return invalid("the space directions are not " + std::to_string(rank) + " vectors of three numbers",
                   info.path.string(), "Correct the header");
  const auto spacings = numbers_of(header.get({"spacings"}), rank);
  if (directions) {
    axes.col_step = mm * in_our_space((*directions)[0], space);
    axes.row_step = mm * in_our_space((*directions)[1], space);
    const Vec3 x = (*directions)[0], y = (*directions)[1];
    axes.page_step = mm * in_our_space(rank == 3 ? (*directions)[2] : (1 / norm(y)) * cross(x, y), space);
    info.voxel_size_source = "space directions";
  } else if (spacings) {
    axes.col_step = mm * (*spacings)[0] * axes.col_step;
    axes.row_step = mm * (*spacings)[1] * axes.row_step;
    axes.page_step = mm * spacings->back() * axes.page_step;
    info.voxel_size_source = "spacings";
  } else if (const auto x = step_of_ends(header, 0, rank, block.cols), y = step_of_ends(header, 1, rank, block.rows),
             z = rank == 3 ? step_of_ends(header, 2, rank, block.pages) : x;
             x && y && z) {
    axes.col_step = mm * *x * axes.col_step;
    axes.row_step = mm * *y * axes.row_step;
    axes.page_step = mm * *z * axes.page_step;
    info.voxel_size_source = "axis mins, axis maxs";
  }
  if (!info.voxel_size_source.empty())
    info.voxel_size = Origin::file;
  else
    guess_voxel_size(info);
  if (const auto first = parse_vectors(header.get({"space origin"}), 1); first && directions) {
    axes.centre = centre_from_first(axes, mm * in_our_space(first->front(), space));
    info.position = Origin::file;
  }
  set_grid(axes, volume);
  return ok();
}

int sniff_nrrd(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return 0;
  const auto start = first_bytes(path, 8, Packing::none);
  return start.ok() && start.value().starts_with("NRRD000") ? 100 : 0;
}

Result<StoredVolume> open_nrrd(const fs::path& path, const VolumeAccess& /*access*/) {
  if (sniff_nrrd(path) == 0) return invalid("not an NRRD file", path.string(), "Choose another format, or detect it");
  TL_TRY(const NrrdHeader header, read_nrrd_header(path));
  TL_TRY(const RawBlock block, block_of_nrrd(path, header));
  StoredVolume volume;
  VolumeFileInfo& info = volume.info;
  TL_TRY(check_header_keys(nrrd_keys, header.fields, path.string(), info.notes));
  info.path = path;
  info.format = "nrrd";
  info.voxel_type = block.type;
  TL_TRY(volume.voxels, raw_voxels(block));
  TL_TRY(place_nrrd(header, block, volume));
  std::string unit_text = header.get({"sample units", "sampleunits"});
  std::erase(unit_text, '"');
  if (const auto unit = parse_unit(unit_text); unit.ok()) info.unit = unit.value();
  const auto pair = [&](const char* key) {
    const auto found = header.pairs.find(key);
    return found == header.pairs.end() ? std::string() : found->second;
  };
  const auto low = numbers_of(pair(nrrd_offset), 1), step = numbers_of(pair(nrrd_step), 1);
  if (low && step) info.scale = ValueScale{low->front(), step->front()};
  const std::string from = header.get({"old min", "oldmin"}), to = header.get({"old max", "oldmax"});
  if (!from.empty() && !to.empty())
    info.notes.push_back("The numbers were made of values from " + from + " to " + to +
                         " (old min, old max): they are read as they are stored.");
  info.description = pair(nrrd_record);
  volume.files = {{path, stamp_of(path)}};
  if (block.file != path) volume.files.push_back({block.file, stamp_of(block.file)});
  return volume;
}

Result<std::unique_ptr<VolumeWriter>> write_nrrd(const VolumeTarget& target) {
  TL_TRY(target.grid.validate());
  const VolumeGrid& g = target.grid;
  const auto vector = [](Vec3 v) { return "(" + vector_text(v, ",") + ")"; };
  const std::string type = target.type == SampleType::float32 ? "float" : sample_type_name(target.type);
  const bool packed = target.compression == Compression::gzip;
  std::string header = "NRRD0005\n# Written by Tomoloom. Axes: " + std::string(volume_axes) + "\n";
  header += "type: " + type + "\ndimension: 3\nspace: left-posterior-superior\nsizes: " + std::to_string(g.nx) + " " +
            std::to_string(g.ny) + " " + std::to_string(g.nz) + "\n";
  header += "space directions: " + vector(g.step_x) + " " + vector(Vec3{} - g.step_y) + " " + vector(g.step_z) + "\n";
  header += "kinds: domain domain domain\nendian: little\nencoding: " + std::string(packed ? "gzip" : "raw") +
            "\nspace units: \"mm\" \"mm\" \"mm\"\n";
  header += "space origin: " + vector(g.position(0, static_cast<double>(g.ny - 1), 0)) + "\n";
  if (target.unit != Unit::none) header += "sample units: \"" + std::string(symbol(target.unit)) + "\"\n";
  if (target.type != SampleType::float32) {
    header += std::string(nrrd_offset) + ":=" + number_text(target.low) + "\n";
    header +=
        std::string(nrrd_step) + ":=" + number_text(SampleScale{target.type, target.low, target.high}.step()) + "\n";
  }
  if (!target.description.empty()) header += std::string(nrrd_record) + ":=" + nrrd_escaped(target.description) + "\n";
  if (header.size() >= longest_nrrd_header)
    return invalid("the pipeline is too long for the header of an NRRD file", target.path.string(),
                   "Choose another format");
  return open_raw_volume(target, {header + "\n", {}, packed ? RawPacking::voxels_by_gzip : RawPacking::none});
}

}  // namespace
}  // namespace tl::io

::tl::io::VolumeFormat tl_volume_format_nrrd() {
  return {"nrrd",
          "NRRD",
          ".nrrd .nhdr",
          "A text header and raw numbers in one file, for 3D Slicer, ITK and teem; the pipeline stands in the header.",
          "",
          tl::io::sniff_nrrd,
          tl::io::open_nrrd,
          tl::io::write_nrrd,
          tl::io::OutputKind::file,
          "float32 uint16 uint8",
          tl::io::Compression::gzip,
          tl::io::IntegerScale::by_tomoloom};
}
