// Checks the slabs of a volume against each other and copies them into one file.
#include "core/run/slabs/join.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/grid_box.h"
#include "core/base/wording.h"
#include "core/graph/graph_json.h"
#include "core/graph/json_document.h"
#include "core/graph/other_results.h"
#include "core/graph/pipeline_paths.h"
#include "core/io/bytes/fingerprint.h"
#include "core/io/open_volume.h"
#include "core/io/output/samples.h"
#include "core/io/output/slab.h"
#include "core/io/output/volume_writer.h"
#include "core/io/volumes/clipped_voxels.h"
#include "core/io/volumes/format.h"
#include "core/run/automatic/batch.h"
#include "core/run/record/record_diff.h"

namespace tl {
namespace {

namespace fs = std::filesystem;
using json::Json;

constexpr const char* note_name = "join.note";
constexpr int64_t voxels_at_once = int64_t{1} << 24;

struct SlabPart {
  io::Slab slab;
  fs::path file;
  std::string record;  // text
  std::unique_ptr<io::VolumeReader> volume;
};

Result<std::vector<SlabPart>> find_parts(const fs::path& folder) {
  std::vector<SlabPart> parts;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed))
    if (const auto slab = io::slab_of_file(entry.path()); slab.ok())
      parts.push_back({slab.value(), entry.path(), {}, {}});
  if (failed) return io_error("the folder cannot be read: " + failed.message(), folder.string());
  if (parts.empty())
    return invalid("there are no slabs", folder.string(),
                   two_wordings("Make them: tomoloom run PIPELINE --slab 1/4, 2/4, ...", "Run the slabs first"));
  std::sort(parts.begin(), parts.end(),
            [](const SlabPart& a, const SlabPart& b) { return a.slab.index < b.slab.index; });
  const int64_t count = parts.front().slab.count;
  for (const SlabPart& part : parts)
    if (part.slab.count != count)
      return invalid(
          "there are slabs of two divisions: " + io::to_string(parts.front().slab) + " and " + io::to_string(part.slab),
          folder.string(), "Delete the slabs of one of the two divisions");
  std::string missing;
  std::size_t next = 0;
  for (int64_t i = 1; i <= count; ++i) {
    if (next < parts.size() && parts[next].slab.index == i)
      ++next;
    else if (missing.size() < 60)
      missing += (missing.empty() ? "" : ", ") + std::to_string(i);
  }
  if (!missing.empty())
    return invalid("slabs are missing, of " + std::to_string(count) + ": " + missing, folder.string(),
                   "Run the missing slabs, also failed ones again");
  return parts;
}

// The node that wrote the slab: its settings of part and file agree.
Result<std::string> node_of(const Graph& graph, const Registry& registry, const SlabPart& part,
                            const fs::path& volume) {
  for (const auto& [id, node] : graph.nodes) {
    if (!registry.has_role(node.type, NodeRole::save_volume)) continue;
    const auto is = [&node](const char* name, const ParamValue& value) {
      const auto set = node.params.find(name);
      return set != node.params.end() && set->second == value;
    };
    const auto file = node.params.find("file");
    const std::string name = file == node.params.end() ? "volume.tif" : std::get<std::string>(file->second);
    if (fs::path(name).filename() == volume.filename() && is("part", part.slab.index) && is("parts", part.slab.count))
      return id;
  }
  return invalid("the record describes no slab of this volume", part.file.string() + ".json", "Run the slab again");
}

Result<void> open_part(SlabPart& part, const CancelToken& cancel) {
  const std::string record = part.file.string() + ".json";
  if (const auto others = results_of_other_runs(record); !others.empty())
    return invalid(others.front(), part.file.string(), "Run the slab again");
  TL_TRY(part.record, text_of_result(record));
  TL_TRY(part.volume, io::open_volume(part.file, {}, cancel));
  return ok();
}

// Different processors round differently: found values whose difference is below this count as equal.
constexpr double negligible_sigmas = 0.01;

// Differences allowed between slabs of one run. Parameters used by only one slab belong to outputs that only the first
// slab writes.
bool is_allowed(const Difference& d, const std::string& node) {
  return d.what == node + ".part" || (d.sigmas && *d.sigmas < negligible_sigmas) || d.first.empty() || d.second.empty();
}

Result<void> check_same_run(const SlabPart& first, const SlabPart& part, const std::string& node,
                            const Registry& registry) {
  TL_TRY(RecordDiff diff,
         compare_records({first.record, first.file.string()}, {part.record, part.file.string()}, registry));
  std::erase_if(diff.parameters, [&](const Difference& d) { return is_allowed(d, node); });
  std::erase_if(diff.versions, [](const Difference& d) { return d.what.rfind("device ", 0) == 0; });
  for (const auto* list : {&diff.pipeline, &diff.inputs, &diff.parameters, &diff.versions})
    if (!list->empty()) {
      const Difference& d = list->front();
      return invalid("the slabs " + io::to_string(first.slab) + " and " + io::to_string(part.slab) +
                         " are of different runs: " + d.what + " is " + (d.first.empty() ? "absent" : d.first) +
                         " and " + (d.second.empty() ? "absent" : d.second),
                     part.file.string(), "Run the slabs again with one pipeline, input and version");
    }
  return ok();
}

// The grid of the whole volume, which the parts must divide as expected.
Result<VolumeGrid> whole_grid(const std::vector<SlabPart>& parts) {
  VolumeGrid whole = parts.front().volume->info().grid;
  const int64_t first_slices = whole.nz;
  whole.nz = 0;
  for (const SlabPart& part : parts) whole.nz += part.volume->info().grid.nz;
  whole.centre = whole.centre + 0.5 * static_cast<double>(whole.nz - first_slices) * whole.step_z;
  for (const SlabPart& part : parts) {
    const auto box = box_in(whole, part.volume->info().grid);
    if (!box || box->z != io::slab_range(part.slab, whole.nz) || box->y != Range{0, whole.ny} ||
        box->x != Range{0, whole.nx})
      return invalid("slab " + io::to_string(part.slab) + " is not at its position in the volume", part.file.string(),
                     "Run the slab again");
  }
  return whole;
}

Json* member(Json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && found != object.end() ? &*found : nullptr;
}

// Corrects a parameter in the record of the first slab to the value of a single run: the whole volume, and files
// relative to its folder.
void correct_parameter(Json& entry, const Graph& graph, const Registry& registry, const fs::path& folder) {
  Json *id = member(entry, "node"), *name = member(entry, "name");
  if (id == nullptr || name == nullptr || !id->is_string() || !name->is_string()) return;
  const auto node = graph.nodes.find(id->get<std::string>());
  if (node == graph.nodes.end()) return;
  const std::string param = name->get<std::string>();
  const NodeType* type = registry.find(node->second.type);
  const ParamDecl* decl = type->param(param);
  if (type->role == NodeRole::save_volume && (param == "part" || param == "parts")) entry["value"] = 1;
  if (decl == nullptr || decl->path != PathRole::input) return;
  const auto set = node->second.params.find(param);
  const auto* file = set == node->second.params.end() ? nullptr : std::get_if<std::string>(&set->second);
  if (file != nullptr && !file->empty()) entry["value"] = relative_input(*file, folder);
}

// The record of the whole volume: that of the first slab without the settings of a slab, and with the provenance of
// each slab.
Result<Json> record_of_whole(const std::vector<SlabPart>& parts, const fs::path& volume, const Graph& graph,
                             const Registry& registry) {
  TL_TRY(json::Document document, json::read_document(parts.front().record, parts.front().file.string()));
  Json record = std::move(document.root);
  record["pipeline"] = Json::parse(portable_json(graph, registry, volume.parent_path()));
  if (Json* list = member(record, "parameters"); list != nullptr && list->is_array())
    for (Json& entry : *list) correct_parameter(entry, graph, registry, volume.parent_path());
  Json slabs = Json::array();
  for (const SlabPart& part : parts) {
    TL_TRY(json::Document of_part, json::read_document(part.record, part.file.string()));
    Json* run = member(of_part.root, "run");
    Json entry = {{"slab", io::to_string(part.slab)}};
    for (const char* name : {"device", "seconds"})
      if (Json* value = run == nullptr ? nullptr : member(*run, name)) entry[name] = *value;
    slabs.push_back(std::move(entry));
  }
  record["run"]["slabs"] = std::move(slabs);
  record["files"] = Json::array({volume.filename().string()});
  return record;
}

template <class T>
T param_or(const GraphNode& node, const NodeType& type, const char* name) {
  const auto set = node.params.find(name);
  return std::get<T>(set == node.params.end() ? type.param(name)->initial : set->second);
}

double number_or(const GraphNode& node, const char* name, double fallback) {
  const auto set = node.params.find(name);
  const auto* number = set == node.params.end() ? nullptr : std::get_if<Number>(&set->second);
  return number == nullptr ? fallback : number->value;
}

// Returns the number of voxels that the scale clips.
Result<io::ClippedVoxels> copy_slabs(std::vector<SlabPart>& parts, io::VolumeWriter& writer, const VolumeGrid& whole,
                                     const io::SampleScale& scale, const JoinRequest& request) {
  io::ClippedVoxels clipped;
  const int64_t slices = std::max<int64_t>(1, voxels_at_once / std::max<int64_t>(1, whole.ny * whole.nx));
  int64_t done = 0;
  for (SlabPart& part : parts) {
    const int64_t of_part = part.volume->info().grid.nz;
    for (int64_t z = 0; z < of_part; z += slices) {
      request.cancel.check();
      const Range range{z, std::min(of_part, z + slices)};
      TL_TRY(const at::Tensor slab, part.volume->read({range, {0, whole.ny}, {0, whole.nx}}, request.cancel));
      clipped.add(io::clipped_voxels(slab, scale));
      TL_TRY(writer.write({done, done + range.size()}, slab));
      done += range.size();
      if (request.events != nullptr) request.events->run_progress(done, whole.nz);
    }
    TL_TRY(part.volume->inputs()->unchanged());
  }
  return clipped;
}

// The findings of output.save_volume when it writes integers.
void record_clipped(Json& record, const std::string& node, const io::ClippedVoxels& clipped) {
  Json* list = member(record, "parameters");
  if (list == nullptr || !list->is_array()) return;
  list->insert(list->begin(), Json{{"node", node},
                                   {"name", "clipped_share"},
                                   {"value", from_stored(clipped.share(), Unit::percent)},
                                   {"unit", symbol(Unit::percent)},
                                   {"uncertainty", nullptr},
                                   {"verdict", nullptr}});
}

fs::path record_of_file(const fs::path& file) { return fs::path(file) += ".json"; }

// The fingerprints of the files that a join is about to rename, and of the records of its slabs, by file name: stored
// as a note in the folder of the slabs, by which a repeated join recognises the files of one that was killed.
using Prints = std::map<std::string, std::string>;

// All files that are a slab or a leftover of one.
std::set<fs::path> slab_files(const fs::path& folder) {
  std::set<fs::path> files;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    fs::path file = entry.path();
    if (file.extension() == ".json") file.replace_extension();
    if (io::slab_of_file(file).ok()) files.insert(file);
  }
  return files;
}

// Deletes only files that runs and joins write into such a folder, and the folder if nothing else is in it.
void finish_join(const JoinRequest& request) {
  std::error_code ignored;
  if (request.after == AfterJoining::remove_slabs)
    for (const fs::path& file : slab_files(request.folder)) {
      fs::remove(file, ignored);
      fs::remove(record_of_file(file), ignored);
    }
  fs::remove(request.folder / note_name, ignored);
  if (request.after == AfterJoining::remove_slabs) fs::remove(request.folder, ignored);
}

Prints noted_prints(const fs::path& folder) {
  std::ifstream file(folder / note_name, std::ios::binary);
  constexpr std::size_t longest = 1 << 16;
  std::string text(longest, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  const Json note = Json::parse(text, nullptr, false);
  Prints prints;
  if (!note.is_object()) return prints;
  for (const auto& [name, print] : note.items())
    if (print.is_string()) prints[name] = print.get<std::string>();
  return prints;
}

bool is_as_noted(const fs::path& output, const Prints& noted) {
  const auto found = noted.find(output.filename().string());
  const auto print = found == noted.end() ? Result<std::string>(std::string()) : io::fingerprint(output);
  return found != noted.end() && print.ok() && print.value() == found->second;
}

struct JoinOutputs {
  fs::path volume, record;
};

// Outputs left by an earlier attempt of the same join. nothing: existing outputs are not from this join, and the usual
// rules for existing files apply; some: the existing outputs are from this join, and may be replaced; all: only the
// slabs remain to be deleted, none of which is newer than the volume.
enum class LeftByJoin { nothing, some, all };
LeftByJoin left_by_join(const JoinOutputs& outputs, const fs::path& folder) {
  const Prints noted = noted_prints(folder);
  std::error_code failed;
  int there = 0, ours = 0;
  for (const fs::path& output : {outputs.volume, outputs.record}) {
    there += fs::exists(fs::symlink_status(output, failed)) ? 1 : 0;
    ours += is_as_noted(output, noted) ? 1 : 0;
  }
  if (there == 2 && fs::is_empty(folder, failed) && !failed) return LeftByJoin::all;
  if (ours == 0 || ours < there) return LeftByJoin::nothing;
  const std::set<fs::path> files = slab_files(folder);
  const bool same_slabs = std::all_of(files.begin(), files.end(),
                                      [&](const fs::path& file) { return is_as_noted(record_of_file(file), noted); });
  if (ours < 2) return LeftByJoin::some;
  return same_slabs ? LeftByJoin::all : LeftByJoin::nothing;
}

}  // namespace

std::vector<fs::path> slab_folders(const fs::path& folder) {
  if (folder.extension() == io::slab_ending) return {folder};
  std::vector<fs::path> found;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == io::slab_ending && entry.is_directory(failed)) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

Result<fs::path> join_slabs(const JoinRequest& request, const Registry& registry) {
  const fs::path volume = request.folder.parent_path() / request.folder.stem();
  const JoinOutputs outputs{volume, record_of_file(volume)};
  const LeftByJoin left = left_by_join(outputs, request.folder);
  if (left == LeftByJoin::all) {
    finish_join(request);
    return volume;
  }
  TL_TRY(std::vector<SlabPart> parts, find_parts(request.folder));
  auto inputs = std::make_shared<io::ProtectedFiles>();
  for (SlabPart& part : parts) {
    TL_TRY(open_part(part, request.cancel));
    inputs->add(part.file, "the slab " + part.file.filename().string());
  }
  TL_TRY(Graph graph, load_pipeline(parts.front().file.string() + ".json", registry));
  TL_TRY(const std::string id, node_of(graph, registry, parts.front(), volume));
  for (const SlabPart& part : parts) TL_TRY(check_same_run(parts.front(), part, id, registry));
  TL_TRY(const VolumeGrid whole, whole_grid(parts));

  GraphNode& node = graph.nodes.at(id);
  const NodeType& type = *registry.find(node.type);
  for (auto& [other, written] : graph.nodes)
    if (written.type == node.type) {
      written.params.erase("part");
      written.params.erase("parts");
    }
  TL_TRY(Json record, record_of_whole(parts, volume, graph, registry));
  io::VolumeTarget target;
  target.path = volume;
  target.grid = whole;
  target.unit = parts.front().volume->info().unit;
  const auto sample_type = io::sample_type_named(param_or<std::string>(node, type, "type"));
  TL_CHECK(sample_type.has_value(), "the choices of output.save_volume are the names of sample types");
  target.type = *sample_type;
  target.low = number_or(node, "low", 0);
  target.high = number_or(node, "high", 1);
  target.compression =
      param_or<std::string>(node, type, "compression") == "gzip" ? io::Compression::gzip : io::Compression::none;
  target.rules = {left == LeftByJoin::some ? io::Overwrite::replace : request.overwrite, inputs};
  TL_TRY(check_writable({outputs.volume, outputs.record}, target.rules));
  target.description = Json{{"pipeline", record["pipeline"]}, {"provenance", record["run"]}}.dump();
  const io::VolumeFormat* format = io::find_volume_format(param_or<std::string>(node, type, "format"));
  TL_CHECK(format != nullptr, "the format of output.save_volume is one of the registry");
  TL_TRY(const std::unique_ptr<io::VolumeWriter> writer, format->write(target));
  const io::SampleScale scale{target.type, target.low, target.high};
  TL_TRY(const io::ClippedVoxels clipped, copy_slabs(parts, *writer, whole, scale, request));
  if (target.type != io::SampleType::float32) record_clipped(record, id, clipped);
  if (clipped.clipped() > 0 && request.events != nullptr)
    request.events->message(LogLevel::warning, id, clipped.text(scale));
  TL_TRY(io::OutputFile output, writer->finish());
  TL_TRY(const std::string print, io::fingerprint(output.part_path()));
  record["fingerprints"] = Json{{volume.filename().string(), print}};
  std::vector<io::OutputFile> all;
  TL_TRY(io::OutputFile of_record, io::uncommitted_text(outputs.record, record.dump(2) + "\n", target.rules));
  TL_TRY(const std::string print_of_record, io::fingerprint(of_record.part_path()));
  Json note = {{volume.filename().string(), print}, {outputs.record.filename().string(), print_of_record}};
  for (const SlabPart& part : parts) {
    const fs::path record_of_part = record_of_file(part.file);
    TL_TRY(note[record_of_part.filename().string()], io::fingerprint(record_of_part));
  }
  TL_TRY(io::write_text(request.folder / note_name, note.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n",
                        io::no_inputs(io::Overwrite::replace)));
  all.push_back(std::move(of_record));
  all.push_back(std::move(output));
  TL_TRY(io::commit_together(std::move(all)));
  finish_join(request);
  return volume;
}

}  // namespace tl
