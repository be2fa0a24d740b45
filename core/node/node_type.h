// NodeType: a kind of node as data (declaration) and functions (check, regions, run); its parameter struct is
// type-erased.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/node/params.h"
#include "core/values/port_types.h"

namespace tl {

class NodeRun;
struct Findings;
namespace io {
struct ScanInfo;
class ScanReader;
}  // namespace io

struct PortDecl {
  std::string name;
  PortType type{};
  std::string help;
  bool required = true;  // inputs only
};

// The first port of a kind, such as is_scan; nullptr if there is none.
inline const PortDecl* first_port(const std::vector<PortDecl>& ports, bool (*is)(PortType)) {
  for (const PortDecl& port : ports)
    if (is(port.type)) return &port;
  return nullptr;
}

// How an output can be divided into pieces that are computed separately. Determines the default of needs().
enum class Partition {
  pointwise,  // a region needs the same region (flat-field, logarithm)
  per_view,   // whole views (phase retrieval)
  per_row,    // whole detector rows of all views, plus a halo of rows (stripes, parallel reconstruction)
  reduce,     // blocks of the input are accumulated into small results or written out
  whole,      // everything at once
  custom,     // defined by the node's needs()
};

// Files of a source: the path in its parameters, and every file on which the scan depends.
struct ScanFiles {
  std::filesystem::path named;
  std::vector<std::filesystem::path> all;
};

// The device of a node while a run uses a GPU.
enum class ComputeOn {
  cpu,           // its inputs are moved there
  gpu,           // inputs are moved to the GPU, and outputs stay there
  input_device,  // on the device of its first input: the node passes tensors on, or crops them
};

// Roles by which code outside core/nodes finds or recognises a node: each role belongs to at most one node type.
enum class NodeRole {
  none,
  load_scan,
  load_volume,
  save_volume,      // also writes slabs: its parameters are "file", "part" and "parts"
  flat_field,       // "projections" in and out
  set_geometry,     // sets manually the values that axis finders and learning find
  examples,         // labels of another volume, as training examples
  painted_labels,   // labels that the user paints on "volume"
  apply_network,    // applies a trained network: "model" is its file
  threshold,        // "method", "value", "values"
  hysteresis,       // "low" and "high"
  crop_volume,      // "first_x" to "last_z" and "bin" of "volume"
  crop_labels,      // the same of "labels"
  save_labels,      // "file" and "format"
  save_mesh,        // writes the surfaces of "labels" to "file"
  save_picture,     // writes one slice of "volume": "file", "slice", "low" and "high"
  save_parameters,  // "file", after "value"
  statistics,       // "mean" of "volume"
};

// A problem of scans that a node removes; core/run/hints finds the problems.
struct Remedy {
  std::string problem;          // HintKind as text: "rings"
  std::string only_with;        // only if this parameter is set; empty: always
  bool is_recommended = false;  // hints recommend this node; at most one for each problem
};

using Infos = std::map<std::string, Info>;
using Regions = std::map<std::string, Region>;

// The info of the projections, or of the volume, at a port.
inline const ProjectionsInfo& scan_of(const Infos& in, const char* port = "projections") {
  return std::get<ProjectionsInfo>(in.at(port));
}
inline const VolumeInfo& volume_of(const Infos& in, const char* port = "volume") {
  return std::get<VolumeInfo>(in.at(port));
}

struct NodeType {
  std::string id;   // stable, "recon.fbp"
  int version = 1;  // increased when the meaning of a parameter changes
  std::string title, category, summary, description;
  std::vector<std::string> citations, synonyms;
  std::vector<PortDecl> inputs, outputs;
  std::vector<ParamDecl> params;
  // Settings (parameter, value as text) with which the node has a visible effect if its defaults have none. Used by the
  // image in the reference and by the tests of all nodes.
  std::vector<std::pair<std::string, std::string>> example;
  NodeRole role = NodeRole::none;
  std::vector<Remedy> remedies;
  Partition partition = Partition::whole;
  int64_t halo = 0;
  bool differentiable = true;
  std::string why_not_differentiable;
  bool is_output = false;     // writes files: run by "run all"
  bool takes_counts = false;  // run() also takes projections whose data are uint16 counts
  // Above 0: run() takes long, for example because it iterates. For a first image on screen it then sets
  // NodeRun::first_look, and gets about so many views of the scan.
  int64_t first_look_views = 0;
  ComputeOn compute_on = ComputeOn::cpu;  // for run() and reducing; measure() always runs on the CPU
  // Why the node's settings keep a node with ComputeOn::gpu on the CPU; empty if they do not.
  std::function<std::string(const void*)> not_on_gpu;

  std::function<std::shared_ptr<void>()> make_params;
  // Changes parameters for displayed images of oblique planes, which may be less exact to be faster. Empty: images are
  // computed as in a run.
  std::function<void(void*)> for_pictures;
  // By parameter: the array that "auto" stands for, given the inputs, in the stored unit.
  std::map<std::string, std::function<Result<NumberArray>(const void*, const Infos& inputs)>> arrays_of_auto;
  // Checks parameters against inputs. Cheap, never touches pixels: runs while the user edits.
  std::function<Result<void>(const void*, const Infos& inputs)> check;
  // The infos of the outputs. `findings` is null until measure() has run; the node then marks its output as pending.
  std::function<Result<Infos>(const void*, const Infos& inputs, const Findings* findings)> infos;
  // For physical models of the measurement: which limits of the model these inputs exceed, in words; empty if none.
  // Values learned by comparison with measured views then have an unknown bias.
  std::function<std::string(const void*, const Infos& inputs)> beyond_model;
  // The input regions that a requested region of an output needs.
  std::function<Result<Regions>(const void*, const Infos& inputs, const Region& wanted)> needs;
  // Bytes that run() needs in addition to inputs and output, for a requested region.
  std::function<int64_t(const void*, const Infos& inputs, const Region& wanted, int64_t element_size)> workspace;
  std::function<Result<void>(const void*, NodeRun&)> run;

  // measure() finds values from the data. It runs once on measure_needs(), before anything downstream is planned. If
  // begin() is set too, without Partition::reduce, begin() is called instead of it, then accumulate() for every piece
  // of the needed region of the only input, in the order of z, so that the whole need not fit into memory.
  std::function<Result<Regions>(const void*, const Infos& inputs)> measure_needs;
  std::function<Result<Findings>(const void*, NodeRun&)> measure;
  // For piecewise measurements: further regions to read, determined from the state after the first input was read.
  // accumulate() is then called for each, with exactly these regions as inputs; each must fit into memory.
  std::function<Result<std::vector<Regions>>(const void*, void* state, NodeRun&)> measure_further;
  // Sets parameters with which the node gives the same result without measuring. In a stream, the findings of such a
  // node are used for all following windows, and the table of windows has these parameters; a node without it, whose
  // findings depend on pixels, measures in each window, unless it trains a model.
  std::function<void(void*, const Infos& inputs, const Findings&)> keep_found;

  // Partition::reduce: reads() returns the region of the first input that is read (default: all of it); begin() is
  // called once, accumulate() for every block of the first input in order, finish() at the end.
  std::function<Result<Region>(const void*, const Infos& inputs)> reads;
  std::function<Result<std::shared_ptr<void>>(const void*, NodeRun&)> begin;
  std::function<Result<void>(const void*, void* state, NodeRun&)> accumulate;
  std::function<Result<Findings>(const void*, void* state, NodeRun&)> finish;

  // For sources of scans: metadata of the scan from file and parameters, with origins of values. Reads no pixels.
  std::function<Result<io::ScanInfo>(const void*, const CancelToken&)> scan_info;
  // For sources of scans: infos() and run() of a scan that is already open, such as the frames of a stream, instead of
  // the file in the parameters; both give the same as for a file.
  std::function<Result<Infos>(const void*, const io::ScanInfo&)> infos_of_reader;
  std::function<Result<void>(const void*, io::ScanReader&, NodeRun&)> from_reader;
  // Sources: a fingerprint of the files' content, for the cache key and the provenance.
  std::function<Result<std::string>(const void*)> fingerprint;
  // Sources: the path that the parameters name, and every file whose contents the output depends on.
  std::function<Result<ScanFiles>(const void*)> files;

  [[nodiscard]] const ParamDecl* param(const std::string& name) const;
  [[nodiscard]] const PortDecl* input(const std::string& name) const;
  [[nodiscard]] const PortDecl* output(const std::string& name) const;
};

// The node's parameters with these values, others at their defaults; unknown names are ignored. The values must be
// valid.
std::shared_ptr<void> make_params(const NodeType& type, const std::map<std::string, ParamValue>& values);

// The default needs() of a partition, for projections or volume inputs.
Result<Regions> default_needs(const NodeType& type, const Infos& inputs, const Region& wanted);

}  // namespace tl
