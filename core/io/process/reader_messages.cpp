// Packs and unpacks the requests to a reading process and its replies.
#include "core/io/process/reader_messages.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/io/reader/scan_checks.h"

namespace tl::io {
namespace {

void add(MessagePacker& p, Range r) {
  p.add(r.begin);
  p.add(r.end);
}
Range get_range(MessageUnpacker& u) {
  Range r;
  r.begin = u.get<int64_t>();
  r.end = u.get<int64_t>();
  return r;
}

template <class T>
void add_found(MessagePacker& p, const Found<T>& f) {
  p.add(f.value);
  p.add(f.origin);
  p.add(f.source);
  p.add(f.guess);
}
template <class E>
bool get_enum(MessageUnpacker& u, E& out, E last) {
  const auto value = u.get<std::underlying_type_t<E>>();
  if (value < 0 || value > static_cast<std::underlying_type_t<E>>(last)) return false;
  out = static_cast<E>(value);
  return true;
}
template <class T>
bool get_origin(MessageUnpacker& u, Found<T>& f) {
  const bool ok = get_enum(u, f.origin, Origin::user);
  f.source = u.text();
  return get_enum(u, f.guess, Guess::unit) && ok;
}
bool get_rest(MessageUnpacker& u, Found<double>& f) {
  f.value = u.get<double>();
  return get_origin(u, f) && std::isfinite(f.value);
}
bool get_rest(MessageUnpacker& u, Found<std::vector<double>>& f) {
  f.value = u.numbers();
  const bool ok = get_origin(u, f);
  return ok && std::all_of(f.value.begin(), f.value.end(), [](double x) { return std::isfinite(x); });
}
template <class T>
void add_optional(MessagePacker& p, const std::optional<Found<T>>& f) {
  p.add(f.has_value());
  if (f) add_found(p, *f);
}
template <class T>
bool get_optional(MessageUnpacker& u, std::optional<Found<T>>& f) {
  const auto there = u.get<uint8_t>();
  if (there == 0) return true;
  return there == 1 && get_rest(u, f.emplace());
}

template <class T>
void add_given(MessagePacker& p, const std::optional<T>& value) {
  p.add(value.has_value());
  p.add(value.value_or(T{}));
}
template <class T>
std::optional<T> get_given(MessageUnpacker& u) {
  const bool given = u.get<bool>();
  const T value = u.get<T>();
  return given ? std::optional<T>(value) : std::nullopt;
}

void add_choices(MessagePacker& p, const ScanChoices& c) {
  for (const std::string& name : {c.data, c.image_key, c.flats, c.darks, c.angles_dataset}) p.add(name);
  for (const std::filesystem::path& file : {c.angles_file, c.flats_file, c.darks_file}) p.add(file.string());
  for (const auto& number : {c.first_angle, c.angle_step, c.source_to_axis, c.axis_to_detector, c.energy})
    add_given(p, number);
  add_given(p, c.beam);
  p.add(c.odd_references);
  p.add(c.use_darks);
  p.add(c.pixels);
  p.add(c.outside_links);
  p.add(c.order);
  p.add(c.angle_unit);
  for (const std::string& text : {c.raw.size, c.raw.type}) p.add(text);
  p.add(c.raw.offset);
  p.add(c.raw.order);
}
// Not checked, because they come from the program itself.
ScanChoices get_choices(MessageUnpacker& u) {
  ScanChoices c;
  for (std::string* name : {&c.data, &c.image_key, &c.flats, &c.darks, &c.angles_dataset}) *name = u.text();
  for (std::filesystem::path* file : {&c.angles_file, &c.flats_file, &c.darks_file}) *file = u.text();
  for (auto* number : {&c.first_angle, &c.angle_step, &c.source_to_axis, &c.axis_to_detector, &c.energy})
    *number = get_given<double>(u);
  c.beam = get_given<Beam>(u);
  c.odd_references = u.get<OddReferences>();
  c.use_darks = u.get<UseOfDarks>();
  c.pixels = u.get<ScanPixels>();
  c.outside_links = u.get<OutsideLinks>();
  c.order = u.get<FrameOrder>();
  c.angle_unit = u.get<AngleUnit>();
  for (std::string* text : {&c.raw.size, &c.raw.type}) *text = u.text();
  c.raw.offset = u.get<int64_t>();
  c.raw.order = u.get<ByteOrder>();
  return c;
}

// The optional values in the order in which they are sent.
template <class Info>
auto optional_values(Info& s) {
  auto& o = s.offsets;
  return std::array{&s.source_to_axis, &s.axis_to_detector, &s.energy,        &s.axis_hint, &o.axis,
                    &o.tilt,           &o.source_shift_u,   &o.source_shift_v};
}

template <class Entry>
auto tree_texts(Entry& e) {
  return std::array{&e.path, &e.type, &e.unit, &e.storage, &e.problem, &e.target};
}

void add_info(MessagePacker& p, const ScanInfo& s) {
  p.add(s.path.string());
  p.add(s.format);
  p.add(s.pixel_type);
  for (const int64_t n : {s.views, s.rows, s.cols, s.flats, s.darks}) p.add(n);
  p.add(s.flat_positions);
  add_found(p, s.angles);
  for (const auto* f : {&s.shift_u, &s.shift_v, &s.vectors}) add_optional(p, *f);
  add_found(p, s.pixel_size_u);
  add_found(p, s.pixel_size_v);
  for (const auto* f : optional_values(s)) add_optional(p, *f);
  p.add(s.half_acquisition);
  p.add(s.beam);
  p.add(s.kind);
  for (const auto* list : {&s.notes, &s.outside}) {
    p.add(static_cast<uint64_t>(list->size()));
    for (const std::string& note : *list) p.add(note);
  }
}

// Whether the numbers are plausible for a scan.
bool consistent(const ScanInfo& s) {
  constexpr int64_t most = 1 << 24;
  const auto finite = [](const std::vector<double>& v) {
    return std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
  };
  const auto per_view = [&](const std::optional<Found<std::vector<double>>>& f, int64_t each = 1) {
    return !f || static_cast<int64_t>(f->value.size()) == each * s.views;
  };
  return check_sizes(s.views, s.rows, s.cols, "").ok() && per_view(s.shift_u) && per_view(s.shift_v) &&
         per_view(s.vectors, 12) && s.flats >= 0 && s.flats <= most && s.darks >= 0 && s.darks <= most &&
         static_cast<int64_t>(s.flat_positions.size()) == s.flats &&
         static_cast<int64_t>(s.angles.value.size()) == s.views && finite(s.flat_positions);
}

std::optional<ScanInfo> get_info(MessageUnpacker& u) {
  ScanInfo s;
  s.path = u.text();
  s.format = u.text();
  s.pixel_type = u.text();
  for (int64_t* n : {&s.views, &s.rows, &s.cols, &s.flats, &s.darks}) *n = u.get<int64_t>();
  s.flat_positions = u.numbers();
  bool ok = get_rest(u, s.angles);
  for (auto* f : {&s.shift_u, &s.shift_v, &s.vectors}) ok = get_optional(u, *f) && ok;
  ok = get_rest(u, s.pixel_size_u) && get_rest(u, s.pixel_size_v) && ok;
  for (auto* f : optional_values(s)) ok = get_optional(u, *f) && ok;
  s.half_acquisition = u.get<uint8_t>() != 0;
  ok = get_enum(u, s.beam, Beam::cone) && get_enum(u, s.kind, PixelKind::thickness) && ok;
  for (auto* list : {&s.notes, &s.outside}) {
    list->resize(u.count(sizeof(uint64_t)));
    for (std::string& note : *list) note = u.text();
  }
  if (!ok || !u.whole() || !consistent(s)) return std::nullopt;
  return s;
}

// The vectors of a grid in the order in which they are sent.
template <class Grid>
auto grid_vectors(Grid& g) {
  return std::array{&g.centre, &g.step_x, &g.step_y, &g.step_z};
}

void add_volume(MessagePacker& p, const VolumeFileInfo& v) {
  p.add(v.path.string());
  p.add(v.format);
  p.add(v.voxel_type);
  for (const int64_t n : {v.grid.nz, v.grid.ny, v.grid.nx}) p.add(n);
  for (const Vec3* vector : grid_vectors(v.grid))
    for (const double x : {vector->x, vector->y, vector->z}) p.add(x);
  p.add(v.voxel_size);
  p.add(v.voxel_size_source);
  p.add(v.position);
  p.add(v.unit);
  const ValueScale scale = v.scale.value_or(ValueScale{});
  p.add(v.scale.has_value());
  p.add(scale.low);
  p.add(scale.step);
  p.add(v.description);
  p.add(static_cast<uint64_t>(v.notes.size()));
  for (const std::string& note : v.notes) p.add(note);
}

std::optional<VolumeFileInfo> get_volume(MessageUnpacker& u) {
  VolumeFileInfo v;
  v.path = u.text();
  v.format = u.text();
  v.voxel_type = u.text();
  for (int64_t* n : {&v.grid.nz, &v.grid.ny, &v.grid.nx}) *n = u.get<int64_t>();
  for (Vec3* vector : grid_vectors(v.grid))
    for (double* x : {&vector->x, &vector->y, &vector->z}) *x = u.get<double>();
  bool ok = get_enum(u, v.voxel_size, Origin::user);
  v.voxel_size_source = u.text();
  ok = get_enum(u, v.position, Origin::user) && get_enum(u, v.unit, Unit::ms) && ok;
  const bool scaled = u.get<uint8_t>() != 0;
  const auto low = u.get<double>(), step = u.get<double>();
  if (scaled) v.scale = ValueScale{low, step};
  v.description = u.text();
  v.notes.resize(u.count(sizeof(uint64_t)));
  for (std::string& note : v.notes) note = u.text();
  if (!ok || !u.whole() || !v.grid.validate().ok() || !std::isfinite(low) || !std::isfinite(step)) return std::nullopt;
  return v;
}

}  // namespace

Message pack(const OpenRequest& request) {
  MessagePacker p;
  p.add(request.folder);
  p.add(request.path);
  p.add(request.format);
  p.add(request.threads);
  add_choices(p, request.choices);
  p.add(request.content);
  return {MessageKind::open_scan, p.take(), -1};
}
std::optional<OpenRequest> unpack_open_request(const Message& message) {
  MessageUnpacker u(message.body);
  OpenRequest r;
  r.folder = u.text();
  r.path = u.text();
  r.format = u.text();
  r.threads = u.get<int64_t>();
  r.choices = get_choices(u);
  r.content = u.get<FileContent>();
  return u.finished() ? std::optional(r) : std::nullopt;
}

Message pack(const ReadRequest& request) {
  MessagePacker p;
  p.add(request.region.kind);
  for (const Range r : {request.region.frames, request.region.rows, request.region.cols}) add(p, r);
  p.add(request.numbers);
  p.add(request.memory);
  p.add(request.offset);
  p.add(request.step);
  return {MessageKind::read_frames, p.take(), -1};
}
std::optional<ReadRequest> unpack_read_request(const Message& message) {
  MessageUnpacker u(message.body);
  ReadRequest r;
  r.region.kind = u.get<Frames>();
  for (Range* range : {&r.region.frames, &r.region.rows, &r.region.cols}) *range = get_range(u);
  r.numbers = u.get<PixelNumbers>();
  r.memory = u.get<uint64_t>();
  r.offset = u.get<int64_t>();
  r.step = u.get<int64_t>();
  return u.finished() ? std::optional(r) : std::nullopt;
}

Message pack_path(MessageKind kind, const std::string& folder, const std::string& path) {
  MessagePacker p;
  p.add(folder);
  p.add(path);
  return {kind, p.take(), -1};
}

Message pack(const OpenReply& reply) {
  MessagePacker p;
  add_info(p, reply.info);
  p.add(reply.volume.has_value());
  if (reply.volume) add_volume(p, *reply.volume);
  p.add(static_cast<uint64_t>(reply.files.size()));
  for (const InputFile& file : reply.files) {
    p.add(file.path.string());
    p.add(file.stamp.has_value());
    if (!file.stamp) continue;
    p.add(file.stamp->device);
    p.add(file.stamp->inode);
    for (const int64_t n : {file.stamp->size, file.stamp->seconds, file.stamp->nanoseconds}) p.add(n);
  }
  return {MessageKind::scan, p.take(), -1};
}
std::optional<OpenReply> unpack_open_reply(const Message& message) {
  MessageUnpacker u(message.body);
  auto info = get_info(u);
  if (!info) return std::nullopt;
  OpenReply reply{*std::move(info), std::nullopt, {}};
  if (u.get<uint8_t>() != 0) {
    reply.volume = get_volume(u);
    const auto same_sizes = [](const ScanInfo& s, const VolumeGrid& g) {
      return s.views == g.nz && s.rows == g.ny && s.cols == g.nx;
    };
    if (!reply.volume || !same_sizes(reply.info, reply.volume->grid)) return std::nullopt;
  }
  reply.files.resize(u.count(sizeof(uint64_t)));
  for (InputFile& file : reply.files) {
    file.path = u.text();
    if (u.get<uint8_t>() == 0) continue;
    FileStamp& stamp = file.stamp.emplace();
    stamp.device = u.get<uint64_t>();
    stamp.inode = u.get<uint64_t>();
    for (int64_t* n : {&stamp.size, &stamp.seconds, &stamp.nanoseconds}) *n = u.get<int64_t>();
  }
  return u.finished() ? std::optional(std::move(reply)) : std::nullopt;
}

Message pack(const Hdf5Tree& tree) {
  MessagePacker p;
  p.add(static_cast<uint64_t>(tree.entries.size()));
  for (const TreeEntry& entry : tree.entries) {
    p.add(entry.kind);
    p.add(entry.link);
    for (const std::string* text : tree_texts(entry)) p.add(*text);
    p.add(static_cast<uint64_t>(entry.shape.size()));
    for (const int64_t n : entry.shape) p.add(n);
    p.add(static_cast<uint64_t>(entry.attributes.size()));
    for (const auto& [name, value] : entry.attributes) {
      p.add(name);
      p.add(value);
    }
  }
  p.add(tree.left_out);
  return {MessageKind::tree, p.take(), -1};
}
std::optional<Hdf5Tree> unpack_tree(const Message& message) {
  MessageUnpacker u(message.body);
  Hdf5Tree tree;
  tree.entries.resize(u.count(sizeof(uint64_t)));
  bool ok = true;
  for (TreeEntry& entry : tree.entries) {
    ok = get_enum(u, entry.kind, TreeKind::other) && get_enum(u, entry.link, LinkState::not_followed) && ok;
    for (std::string* text : tree_texts(entry)) *text = u.text();
    entry.shape.resize(u.count(sizeof(int64_t)));
    for (int64_t& n : entry.shape) n = u.get<int64_t>();
    entry.attributes.resize(u.count(2 * sizeof(uint64_t)));
    for (auto& [name, value] : entry.attributes) {
      name = u.text();
      value = u.text();
    }
  }
  tree.left_out = u.text();
  return ok && u.finished() ? std::optional(std::move(tree)) : std::nullopt;
}

Message pack(const Error& error) {
  constexpr std::size_t longest = 16000;
  MessagePacker p;
  p.add(error.kind);
  for (const std::string* text : {&error.what, &error.where, &error.hint})
    p.add(std::string_view(*text).substr(0, longest));
  return {MessageKind::failed, p.take(), -1};
}
std::optional<Error> unpack_error(const Message& message) {
  constexpr std::size_t longest = 1 << 16;
  if (message.body.size() > longest) return std::nullopt;
  MessageUnpacker u(message.body);
  Error error;
  const bool ok = get_enum(u, error.kind, ErrorKind::internal);
  for (std::string* text : {&error.what, &error.where, &error.hint}) *text = u.text();
  return ok && u.finished() ? std::optional(std::move(error)) : std::nullopt;
}

}  // namespace tl::io
