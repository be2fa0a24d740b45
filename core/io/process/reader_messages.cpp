// Lists the fields of requests and replies, and checks that the numbers in a reply agree.
#include "core/io/process/reader_messages.h"

#include <tuple>
#include <type_traits>

#include "core/io/process/cbor.h"
#include "core/io/reader/scan_checks.h"

namespace tl::io {
namespace cbor {

template <class E>
  requires std::is_enum_v<E>
inline constexpr E last<E> =
    std::get<E>(std::tuple{Origin::user, Guess::unit, Beam::cone, PixelKind::thickness, Unit::ms, OutsideLinks::follow,
                           FileContent::volume, FrameOrder::sinograms, AngleUnit::radians, OddReferences::keep,
                           UseOfDarks::none, ScanPixels::absorption, ByteOrder::big, Frames::darks,
                           PixelNumbers::integers, TreeKind::other, LinkState::not_followed, ErrorKind::internal});

template <class T>
inline constexpr auto fields<Found<T>> = [](auto& field, auto& s) {
  return field("value", s.value) && field("origin", s.origin) && field("source", s.source) && field("guess", s.guess);
};
template <>
inline constexpr auto fields<StatedOffsets> = [](auto& field, auto& s) {
  return field("axis", s.axis) && field("tilt", s.tilt) && field("source_shift_u", s.source_shift_u) &&
         field("source_shift_v", s.source_shift_v);
};
// All but the doubts, which no reader has.
template <>
inline constexpr auto fields<ScanInfo> = [](auto& field, auto& s) {
  return field("path", s.path) && field("format", s.format) && field("pixel_type", s.pixel_type) &&
         field("views", s.views) && field("rows", s.rows) && field("cols", s.cols) && field("flats", s.flats) &&
         field("darks", s.darks) && field("flat_positions", s.flat_positions) && field("angles", s.angles) &&
         field("shift_u", s.shift_u) && field("shift_v", s.shift_v) && field("vectors", s.vectors) &&
         field("pixel_size_u", s.pixel_size_u) && field("pixel_size_v", s.pixel_size_v) &&
         field("source_to_axis", s.source_to_axis) && field("axis_to_detector", s.axis_to_detector) &&
         field("energy", s.energy) && field("axis_hint", s.axis_hint) && field("offsets", s.offsets) &&
         field("half_acquisition", s.half_acquisition) && field("beam", s.beam) && field("kind", s.kind) &&
         field("notes", s.notes) && field("outside", s.outside);
};

template <>
inline constexpr auto fields<Vec3> =
    [](auto& field, auto& s) { return field("x", s.x) && field("y", s.y) && field("z", s.z); };
template <>
inline constexpr auto fields<VolumeGrid> = [](auto& field, auto& s) {
  return field("nz", s.nz) && field("ny", s.ny) && field("nx", s.nx) && field("centre", s.centre) &&
         field("step_x", s.step_x) && field("step_y", s.step_y) && field("step_z", s.step_z);
};
template <>
inline constexpr auto fields<ValueScale> =
    [](auto& field, auto& s) { return field("low", s.low) && field("step", s.step); };
template <>
inline constexpr auto fields<VolumeFileInfo> = [](auto& field, auto& s) {
  return field("path", s.path) && field("format", s.format) && field("voxel_type", s.voxel_type) &&
         field("grid", s.grid) && field("voxel_size", s.voxel_size) &&
         field("voxel_size_source", s.voxel_size_source) && field("position", s.position) && field("unit", s.unit) &&
         field("scale", s.scale) && field("description", s.description) && field("notes", s.notes);
};

template <>
inline constexpr auto fields<RawLayout> = [](auto& field, auto& s) {
  return field("size", s.size) && field("type", s.type) && field("offset", s.offset) && field("order", s.order);
};
template <>
inline constexpr auto fields<ScanChoices> = [](auto& field, auto& s) {
  return field("data", s.data) && field("image_key", s.image_key) && field("flats", s.flats) &&
         field("darks", s.darks) && field("flats_file", s.flats_file) && field("darks_file", s.darks_file) &&
         field("angles_dataset", s.angles_dataset) && field("angles_file", s.angles_file) &&
         field("first_angle", s.first_angle) && field("angle_step", s.angle_step) &&
         field("angle_unit", s.angle_unit) && field("odd_references", s.odd_references) &&
         field("use_darks", s.use_darks) && field("pixels", s.pixels) && field("beam", s.beam) &&
         field("source_to_axis", s.source_to_axis) && field("axis_to_detector", s.axis_to_detector) &&
         field("energy", s.energy) && field("order", s.order) && field("raw", s.raw) &&
         field("outside_links", s.outside_links);
};
template <>
inline constexpr auto fields<OpenRequest> = [](auto& field, auto& s) {
  return field("folder", s.folder) && field("path", s.path) && field("format", s.format) &&
         field("threads", s.threads) && field("choices", s.choices) && field("content", s.content);
};

template <>
inline constexpr auto fields<Range> =
    [](auto& field, auto& s) { return field("begin", s.begin) && field("end", s.end); };
template <>
inline constexpr auto fields<FrameRegion> = [](auto& field, auto& s) {
  return field("kind", s.kind) && field("frames", s.frames) && field("rows", s.rows) && field("cols", s.cols);
};
template <>
inline constexpr auto fields<ReadRequest> = [](auto& field, auto& s) {
  return field("region", s.region) && field("numbers", s.numbers) && field("memory", s.memory) &&
         field("offset", s.offset) && field("step", s.step);
};
template <>
inline constexpr auto fields<PathRequest> =
    [](auto& field, auto& s) { return field("folder", s.folder) && field("path", s.path); };

template <>
inline constexpr auto fields<FileStamp> = [](auto& field, auto& s) {
  return field("device", s.device) && field("inode", s.inode) && field("size", s.size) && field("seconds", s.seconds) &&
         field("nanoseconds", s.nanoseconds);
};
template <>
inline constexpr auto fields<InputFile> =
    [](auto& field, auto& s) { return field("path", s.path) && field("stamp", s.stamp); };
template <>
inline constexpr auto fields<OpenReply> =
    [](auto& field, auto& s) { return field("info", s.info) && field("volume", s.volume) && field("files", s.files); };

template <>
inline constexpr auto fields<std::pair<std::string, std::string>> =
    [](auto& field, auto& s) { return field("name", s.first) && field("value", s.second); };
template <>
inline constexpr auto fields<TreeEntry> = [](auto& field, auto& s) {
  return field("path", s.path) && field("kind", s.kind) && field("type", s.type) && field("shape", s.shape) &&
         field("unit", s.unit) && field("storage", s.storage) && field("problem", s.problem) &&
         field("target", s.target) && field("link", s.link) && field("attributes", s.attributes);
};
template <>
inline constexpr auto fields<Hdf5Tree> =
    [](auto& field, auto& s) { return field("entries", s.entries) && field("left_out", s.left_out); };

template <>
inline constexpr auto fields<Error> = [](auto& field, auto& s) {
  return field("kind", s.kind) && field("what", s.what) && field("where", s.where) && field("hint", s.hint);
};

}  // namespace cbor

namespace {

constexpr std::size_t longest_text = 16000;  // of an error [bytes]

template <class T>
bool is_plausible(const T& /*content*/) {
  return true;
}
bool is_plausible(const Error& error) {
  return std::max({error.what.size(), error.where.size(), error.hint.size()}) <= longest_text;
}
bool is_plausible(const ScanInfo& s) {
  constexpr int64_t most = 1 << 24;
  const auto per_view = [&](const std::optional<Found<std::vector<double>>>& f, int64_t each = 1) {
    return !f || std::ssize(f->value) == each * s.views;
  };
  return check_sizes(s.views, s.rows, s.cols, "").ok() && per_view(s.shift_u) && per_view(s.shift_v) &&
         per_view(s.vectors, 12) && s.flats >= 0 && s.flats <= most && s.darks >= 0 && s.darks <= most &&
         std::ssize(s.flat_positions) == s.flats && std::ssize(s.angles.value) == s.views;
}
bool is_plausible(const OpenReply& reply) {
  const auto same_sizes = [](const ScanInfo& s, const VolumeGrid& g) {
    return s.views == g.nz && s.rows == g.ny && s.cols == g.nx;
  };
  return is_plausible(reply.info) &&
         (!reply.volume || (reply.volume->grid.validate().ok() && same_sizes(reply.info, reply.volume->grid)));
}

}  // namespace

template <class T>
Message serialise(MessageKind kind, const T& content) {
  return {kind, cbor::to_bytes(cbor::encoded(content)), -1};
}

template <class T>
std::optional<T> deserialise(const Message& message) {
  T content;
  const auto json = cbor::parse(message.body);
  if (!json || !cbor::decode(*json, content) || !is_plausible(content)) return std::nullopt;
  return content;
}

template Message serialise(MessageKind, const OpenRequest&);
template Message serialise(MessageKind, const ReadRequest&);
template Message serialise(MessageKind, const PathRequest&);
template Message serialise(MessageKind, const OpenReply&);
template Message serialise(MessageKind, const Hdf5Tree&);
template std::optional<OpenRequest> deserialise(const Message&);
template std::optional<ReadRequest> deserialise(const Message&);
template std::optional<PathRequest> deserialise(const Message&);
template std::optional<OpenReply> deserialise(const Message&);
template std::optional<Hdf5Tree> deserialise(const Message&);
template std::optional<Error> deserialise(const Message&);

Message failure(Error error) {
  for (std::string* text : {&error.what, &error.where, &error.hint})
    if (text->size() > longest_text) text->resize(longest_text);
  return serialise(MessageKind::failed, error);
}

}  // namespace tl::io
