// NodeType: one kind of node as data (declaration) and functions (check, regions, run), with its parameter struct
// erased.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/io/scan_info.h"
#include "core/node/params.h"
#include "core/values/infos.h"

namespace tl {

class NodeRun;
struct Findings;

struct PortDecl {
  std::string name;
  PortType type = PortType::projections;
  std::string help;
  bool required = true;  // inputs only
};

// How an output may be cut into pieces that are computed apart. It decides which input regions a piece needs by
// default.
enum class Partition {
  pointwise,  // a region needs the same region (flat-field, logarithm)
  per_view,   // whole views (phase retrieval)
  per_row,    // whole detector rows of all views, plus a halo of rows (stripes, parallel reconstruction)
  per_block,  // the region grown by a halo (3D filters)
  reduce,     // blocks of the input are accumulated into small results or written out
  whole,      // everything at once
  custom,     // the node's needs() says it
};

// What a source reads: the path that its parameters name, and every file on which the scan depends.
struct ScanFiles {
  std::filesystem::path named;
  std::vector<std::filesystem::path> all;
};

// Where a node computes while a run uses a card.
enum class ComputeOn {
  cpu,           // its inputs are brought there
  gpu,           // its inputs are brought there, and its outputs stay
  input_device,  // wherever its first input is: it hands tensors on, or cuts parts out of them
};

using Infos = std::map<std::string, Info>;
using Regions = std::map<std::string, Region>;

// What is known of the scan, or of the volume, at a port of that type.
inline const ProjectionsInfo& scan_of(const Infos& in, const char* port = "projections") {
  return std::get<ProjectionsInfo>(in.at(port));
}
inline const VolumeInfo& volume_of(const Infos& in, const char* port = "volume") {
  return std::get<VolumeInfo>(in.at(port));
}

struct NodeType {
  std::string id;   // stable, "recon.fbp"
  int version = 1;  // raised when a parameter changes its meaning
  std::string title, category, summary, description;
  std::vector<std::string> citations, synonyms;
  std::vector<PortDecl> inputs, outputs;
  std::vector<ParamDecl> params;
  // Settings under which the node visibly does something, where its defaults do not: (parameter, value as text). Used
  // by the picture in the reference and by the tests that walk all nodes.
  std::vector<std::pair<std::string, std::string>> example;
  Partition partition = Partition::whole;
  int64_t halo = 0;
  bool differentiable = true;
  std::string why_not_differentiable;
  bool is_output = false;                 // writes files: run by "run all"
  bool takes_counts = false;              // run() also takes projections whose data are uint16 counts
  ComputeOn compute_on = ComputeOn::cpu;  // of run() and of reducing; measure() is on the processor always
  // Why settings keep a node of ComputeOn::gpu on the processor; empty where they do not.
  std::function<std::string(const void*)> not_on_card;

  std::function<std::shared_ptr<void>()> make_params;
  // By parameter: the array that "auto" stands for with these inputs, in the stored unit.
  std::map<std::string, std::function<Result<NumberArray>(const void*, const Infos& inputs)>> arrays_of_auto;
  // Cheap, never touches pixels: may these parameters and inputs work? Runs while the user edits.
  std::function<Result<void>(const void*, const Infos& inputs)> check;
  // What is known of the outputs. `findings` is null until measure() ran: the node then marks its output as pending.
  std::function<Result<Infos>(const void*, const Infos& inputs, const Findings* findings)> infos;
  // Which input regions a wanted region of an output needs.
  std::function<Result<Regions>(const void*, const Infos& inputs, const Region& wanted)> needs;
  // Bytes that run() needs besides inputs and output, for a wanted region.
  std::function<int64_t(const void*, const Infos& inputs, const Region& wanted, int64_t element_size)> workspace;
  std::function<Result<void>(const void*, NodeRun&)> run;

  // A value found from the data, which ends a phase: run once on measure_needs(), before anything downstream is
  // planned.
  std::function<Result<Regions>(const void*, const Infos& inputs)> measure_needs;
  std::function<Result<Findings>(const void*, NodeRun&)> measure;

  // Partition::reduce: the part of the first input that is read (default: all of it); begin once, accumulate every
  // block of the first input in order, finish into findings.
  std::function<Result<Region>(const void*, const Infos& inputs)> reads;
  std::function<Result<std::shared_ptr<void>>(const void*, NodeRun&)> begin;
  std::function<Result<void>(const void*, void* state, NodeRun&)> accumulate;
  std::function<Result<Findings>(const void*, void* state, NodeRun&)> finish;

  // Sources of scans: what the file and the parameters say about the scan, each value with its origin. No pixels are
  // read.
  std::function<Result<io::ScanInfo>(const void*, const CancelToken&)> scan_info;
  // Sources: identifies the content that the parameters point at, for the cache key and the provenance.
  std::function<Result<std::string>(const void*)> fingerprint;
  // Sources: the path that the parameters name, and every file whose contents the output depends on.
  std::function<Result<ScanFiles>(const void*)> files;

  [[nodiscard]] const ParamDecl* param(const std::string& name) const;
  [[nodiscard]] const PortDecl* input(const std::string& name) const;
  [[nodiscard]] const PortDecl* output(const std::string& name) const;
};

// needs() of the plain partitions for one projections or volume input; used where a node gives none of its own.
Result<Regions> default_needs(const NodeType& type, const Infos& inputs, const Region& wanted);

}  // namespace tl
