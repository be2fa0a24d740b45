// NodeBuilder: the functions with which a node file declares itself. Builds a NodeType, with the parameter struct
// type-erased.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/choices.h"
#include "core/io/reader/scan_info.h"
#include "core/node/learnable.h"
#include "core/node/node_run.h"
#include "core/node/node_type.h"

namespace tl {
namespace detail {

// How a member of a parameter struct is declared, written and read. One specialisation per member type.
template <class T>
struct Field;

// For values that are written unchanged.
template <class T, ParamKind K>
struct PlainField {
  static constexpr ParamKind kind = K;
  static void set(T& m, const ParamValue& v) { m = std::get<T>(v); }
  static ParamValue get(const T& m) { return m; }
};
template <>
struct Field<bool> : PlainField<bool, ParamKind::flag> {};
template <>
struct Field<int64_t> : PlainField<int64_t, ParamKind::integer> {};
template <>
struct Field<std::string> : PlainField<std::string, ParamKind::text> {};
template <>
struct Field<NumberArray> : PlainField<NumberArray, ParamKind::array> {};
template <>
struct Field<double> {
  static constexpr ParamKind kind = ParamKind::number;
  static void set(double& m, const ParamValue& v) { m = std::get<Number>(v).value; }
  static ParamValue get(const double& m) { return Number{m, Unit::none}; }
};
template <Dimension D>
struct Field<Stored<D>> {
  static constexpr ParamKind kind = ParamKind::number;
  static void set(Stored<D>& m, const ParamValue& v) { m.value = std::get<Number>(v).value; }
  static ParamValue get(const Stored<D>& m) { return Number{m.value, stored_unit(D)}; }
};
template <>
struct Field<std::filesystem::path> {
  static constexpr ParamKind kind = ParamKind::path;
  static void set(std::filesystem::path& m, const ParamValue& v) { m = std::get<std::string>(v); }
  static ParamValue get(const std::filesystem::path& m) { return m.string(); }
};
template <>
struct Field<std::vector<double>> {
  static constexpr ParamKind kind = ParamKind::numbers;
  static void set(std::vector<double>& m, const ParamValue& v) { m = std::get<NumberList>(v).values; }
  static ParamValue get(const std::vector<double>& m) { return NumberList{m, Unit::none}; }
};
// "auto" allowed.
template <class T>
struct Field<std::optional<T>> {
  static constexpr ParamKind kind = Field<T>::kind;
  static void set(std::optional<T>& m, const ParamValue& v) {
    if (std::holds_alternative<std::monostate>(v)) {
      m.reset();
    } else {
      Field<T>::set(m.emplace(), v);
    }
  }
  static ParamValue get(const std::optional<T>& m) { return m ? Field<T>::get(*m) : ParamValue{}; }
};
template <class T>
struct Field<Learnable<T>> {
  static constexpr ParamKind kind = Field<T>::kind;
  static void set(Learnable<T>& m, const ParamValue& v) { Field<T>::set(m.value, v); }
  static ParamValue get(const Learnable<T>& m) { return Field<T>::get(m.value); }
};

}  // namespace detail

// Declares one parameter. Every function returns *this, so that a declaration reads as one line.
class ParamBuilder {
 public:
  explicit ParamBuilder(ParamDecl& decl) : decl_(decl) {}
  ParamBuilder& help(std::string text) { return set(decl_.help, std::move(text)); }
  ParamBuilder& unit(Unit unit) { return set(decl_.unit, unit); }
  // Inclusive, in `unit`.
  ParamBuilder& range(double low, double high, Unit unit = Unit::none) {
    decl_.high = high;
    return at_least(low, unit);
  }
  ParamBuilder& at_least(double low, Unit unit = Unit::none) {
    decl_.low = low;
    if (unit != Unit::none) decl_.unit = unit;
    return *this;
  }
  ParamBuilder& learnable() { return set(decl_.learnable, true); }
  ParamBuilder& names_only() { return set(decl_.names_only, true); }
  ParamBuilder& per_view() { return set(decl_.per_view, true); }
  ParamBuilder& automatic(std::string what) { return set(decl_.automatic, std::move(what)); }
  ParamBuilder& input_file() { return path(PathRole::input); }
  ParamBuilder& output_file() { return path(PathRole::output); }
  // For a node that writes one format.
  ParamBuilder& output_file(std::string format, std::vector<std::string> endings) {
    decl_.file_format = std::move(format);
    decl_.file_endings = std::move(endings);
    return output_file();
  }

 private:
  template <class T, class V>
  ParamBuilder& set(T& member, V value) {
    member = std::move(value);
    return *this;
  }
  ParamBuilder& path(PathRole role) {
    decl_.kind = ParamKind::path;
    return set(decl_.path, role);
  }
  ParamDecl& decl_;
};

template <class P>
class NodeBuilder {
 public:
  static NodeType build(void (*describe)(NodeBuilder&)) {
    NodeBuilder b;
    b.type_.params.reserve(64);  // ParamBuilder holds references while declaring
    b.type_.make_params = [] { return std::static_pointer_cast<void>(std::make_shared<P>()); };
    describe(b);
    const P defaults{};
    for (ParamDecl& d : b.type_.params) d.initial = in_unit(d.read(&defaults), d.unit);
    return std::move(b.type_);
  }

  NodeBuilder& id(std::string id, int version) {
    type_.id = std::move(id);
    type_.version = version;
    return *this;
  }
  NodeBuilder& title(std::string text) { return set(type_.title, std::move(text)); }
  NodeBuilder& category(std::string text) { return set(type_.category, std::move(text)); }
  NodeBuilder& summary(std::string text) { return set(type_.summary, std::move(text)); }
  NodeBuilder& description(std::string text) { return set(type_.description, std::move(text)); }
  // Not inlined, because g++ 12 otherwise warns wrongly about copied strings (GCC bug 105651).
  [[gnu::noinline]] NodeBuilder& cite(std::string text) {
    type_.citations.push_back(std::move(text));
    return *this;
  }
  NodeBuilder& synonyms(std::vector<std::string> words) { return set(type_.synonyms, std::move(words)); }
  NodeBuilder& example(std::vector<std::pair<std::string, std::string>> settings) {
    return set(type_.example, std::move(settings));
  }
  NodeBuilder& role(NodeRole role) { return set(type_.role, role); }
  NodeBuilder& remedy(std::string problem, std::string only_with = {}) {
    type_.remedies.push_back({std::move(problem), std::move(only_with), false});
    return *this;
  }
  NodeBuilder& recommended_remedy(std::string problem, std::string only_with = {}) {
    type_.remedies.push_back({std::move(problem), std::move(only_with), true});
    return *this;
  }
  NodeBuilder& writes_files() { return set(type_.is_output, true); }
  NodeBuilder& not_differentiable(std::string why) {
    type_.differentiable = false;
    return set(type_.why_not_differentiable, std::move(why));
  }
  // The node's tensors may be on a GPU (NodeRun::device): all of its operators have CUDA kernels. `unless` returns the
  // reason why some settings have none, or an empty text.
  NodeBuilder& on_gpu(std::string (*unless)(const P&) = nullptr) {
    if (unless != nullptr) type_.not_on_gpu = erased(unless);
    return set(type_.compute_on, ComputeOn::gpu);
  }
  // On the CPU the node also accepts projections as uint16 counts, as stored in the file.
  NodeBuilder& takes_counts() { return set(type_.takes_counts, true); }
  // run() takes long, and computes a first image from about so many views (NodeType::first_look_views).
  NodeBuilder& first_look_views(int64_t views) { return set(type_.first_look_views, views); }
  // The node accepts tensors on any device and keeps its output there.
  NodeBuilder& where_input_is() { return set(type_.compute_on, ComputeOn::input_device); }
  NodeBuilder& partition(Partition partition, int64_t halo = 0) {
    type_.halo = halo;
    return set(type_.partition, partition);
  }

  template <class T>
  NodeBuilder& input(std::string name, std::string help, bool required = true) {
    type_.inputs.push_back({std::move(name), PortTypeOf<T>::value, std::move(help), required});
    return *this;
  }
  template <class T>
  NodeBuilder& output(std::string name, std::string help) {
    type_.outputs.push_back({std::move(name), PortTypeOf<T>::value, std::move(help), true});
    return *this;
  }

  // `member`: a pointer to a member of P or of a base, or a function that returns a reference to a part of a P.
  template <class M>
  using TypeOf = std::remove_cvref_t<std::invoke_result_t<M, P&>>;
  template <class M>
  ParamBuilder param(std::string name, std::string title, M member) {
    using F = detail::Field<TypeOf<M>>;
    ParamDecl& d = declare(std::move(name), std::move(title), F::kind);
    d.assign = [member](void* p, const ParamValue& v) { F::set(std::invoke(member, *static_cast<P*>(p)), v); };
    d.read = [member](const void* p) { return F::get(std::invoke(member, *static_cast<const P*>(p))); };
    if constexpr (requires(TypeOf<M> t) { t.tensor; })
      d.set_tensor = [member](void* p, const at::Tensor& tensor) {
        std::invoke(member, *static_cast<P*>(p)).tensor = tensor;
      };
    return ParamBuilder(d);
  }
  // One of a few values, usually of an enum. Refused: a duplicate value or name, and a default that is not among them.
  template <class M>
  ParamBuilder param(std::string name, std::string title, M member, Choices<TypeOf<M>> choices) {
    ParamDecl& d = declare(std::move(name), std::move(title), ParamKind::choice);
    for (const auto& c : choices) {
      TL_CHECK(choice_with_value(choices, c.value) == &c, "two choices have the same value");
      TL_CHECK(choice_with_name(choices, c.name) == &c, "two choices have the same name");
      d.choices.push_back({c.name, c.title});
    }
    d.assign = [member, choices](void* p, const ParamValue& v) {
      std::invoke(member, *static_cast<P*>(p)) = choice_with_name(choices, std::get<std::string>(v))->value;
    };
    d.read = [member, choices](const void* p) {
      const auto* chosen = choice_with_value(choices, std::invoke(member, *static_cast<const P*>(p)));
      TL_CHECK(chosen != nullptr, "a value that is not among the choices");
      return ParamValue{chosen->name};
    };
    return ParamBuilder(d);
  }
  // A choice that is shown only on request.
  template <class M>
  ParamBuilder advanced_param(std::string name, std::string title, M member) {
    const ParamBuilder declared = param(std::move(name), std::move(title), member);
    type_.params.back().level = ParamLevel::advanced;
    return declared;
  }
  template <class M>
  ParamBuilder advanced_param(std::string name, std::string title, M member, Choices<TypeOf<M>> choices) {
    const ParamBuilder declared = param(std::move(name), std::move(title), member, std::move(choices));
    type_.params.back().level = ParamLevel::advanced;
    return declared;
  }

  using ArrayOfAuto = Result<NumberArray> (*)(const P&, const Infos&);
  NodeBuilder& array_of_auto(const std::string& param, ArrayOfAuto f) {
    return set(type_.arrays_of_auto[param], erased(f));
  }
  NodeBuilder& for_pictures(void (*f)(P&)) {
    type_.for_pictures = [f](void* p) { f(*static_cast<P*>(p)); };
    return *this;
  }
  using Check = Result<void> (*)(const P&, const Infos&);
  NodeBuilder& check(Check f) { return set(type_.check, erased(f)); }
  using Outputs = Result<Infos> (*)(const P&, const Infos&, const Findings*);
  NodeBuilder& infos(Outputs f) { return set(type_.infos, erased(f)); }
  using BeyondModel = std::string (*)(const P&, const Infos&);
  NodeBuilder& beyond_model(BeyondModel f) { return set(type_.beyond_model, erased(f)); }
  using Needs = Result<Regions> (*)(const P&, const Infos&, const Region&);
  NodeBuilder& needs(Needs f) {
    type_.partition = type_.partition == Partition::whole ? Partition::custom : type_.partition;
    return set(type_.needs, erased(f));
  }
  using Workspace = int64_t (*)(const P&, const Infos&, const Region&, int64_t element_size);
  NodeBuilder& workspace(Workspace f) { return set(type_.workspace, erased(f)); }
  using Run = Result<void> (*)(const P&, NodeRun&);
  NodeBuilder& run(Run f) { return set(type_.run, erased(f)); }
  using MeasureNeeds = Result<Regions> (*)(const P&, const Infos&);
  using Measure = Result<Findings> (*)(const P&, NodeRun&);
  NodeBuilder& measure(MeasureNeeds where, Measure f) {
    type_.measure_needs = erased(where);
    return set(type_.measure, erased(f));
  }
  using KeepFound = void (*)(P&, const Infos&, const Findings&);
  NodeBuilder& keep_found(KeepFound f) {
    type_.keep_found = [f](void* p, const Infos& in, const Findings& found) { f(*static_cast<P*>(p), in, found); };
    return *this;
  }
  template <class S>
  NodeBuilder& reduce(Result<std::shared_ptr<S>> (*begin)(const P&, NodeRun&),
                      Result<void> (*accumulate)(const P&, S&, NodeRun&),
                      Result<Findings> (*finish)(const P&, S&, NodeRun&)) {
    type_.partition = Partition::reduce;
    return blocks(begin, accumulate, finish);
  }
  // Measures piece by piece; nothing is read if measure_needs() is empty.
  template <class S>
  NodeBuilder& measure_in_blocks(MeasureNeeds where, Result<std::shared_ptr<S>> (*begin)(const P&, NodeRun&),
                                 Result<void> (*accumulate)(const P&, S&, NodeRun&),
                                 Result<Findings> (*finish)(const P&, S&, NodeRun&)) {
    type_.measure_needs = erased(where);
    type_.measure = [begin, accumulate, finish](const void* params, NodeRun& r) -> Result<Findings> {
      const P& p = *static_cast<const P*>(params);
      TL_TRY(std::shared_ptr<S> state, begin(p, r));
      if (!r.inputs.empty()) TL_TRY(accumulate(p, *state, r));
      return finish(p, *state, r);
    };
    return blocks(begin, accumulate, finish);
  }
  // The second step of measure_in_blocks(): reads regions of other inputs, such as around the strokes found.
  template <class S>
  NodeBuilder& measure_further(Result<std::vector<Regions>> (*f)(const P&, S&, NodeRun&)) {
    type_.measure_further = [f](const void* p, void* s, NodeRun& r) {
      return f(*static_cast<const P*>(p), *static_cast<S*>(s), r);
    };
    return *this;
  }
  using Reads = Result<Region> (*)(const P&, const Infos&);
  NodeBuilder& reads(Reads f) { return set(type_.reads, erased(f)); }
  using ScanFacts = Result<io::ScanInfo> (*)(const P&, const CancelToken&);
  NodeBuilder& scan_info(ScanFacts f) { return set(type_.scan_info, erased(f)); }
  using ReaderInfos = Result<Infos> (*)(const P&, const io::ScanInfo&);
  using ReaderRun = Result<void> (*)(const P&, io::ScanReader&, NodeRun&);
  NodeBuilder& from_reader(ReaderInfos outputs, ReaderRun read) {
    type_.infos_of_reader = erased(outputs);
    return set(type_.from_reader, erased(read));
  }
  using Fingerprint = Result<std::string> (*)(const P&);
  NodeBuilder& fingerprint(Fingerprint f) { return set(type_.fingerprint, erased(f)); }
  using Files = Result<ScanFiles> (*)(const P&);
  NodeBuilder& files(Files f) { return set(type_.files, erased(f)); }

 private:
  template <class S>
  NodeBuilder& blocks(Result<std::shared_ptr<S>> (*begin)(const P&, NodeRun&),
                      Result<void> (*accumulate)(const P&, S&, NodeRun&),
                      Result<Findings> (*finish)(const P&, S&, NodeRun&)) {
    type_.begin = [begin](const void* p, NodeRun& r) -> Result<std::shared_ptr<void>> {
      TL_TRY(std::shared_ptr<S> state, begin(*static_cast<const P*>(p), r));
      return std::static_pointer_cast<void>(state);
    };
    type_.accumulate = [accumulate](const void* p, void* s, NodeRun& r) {
      return accumulate(*static_cast<const P*>(p), *static_cast<S*>(s), r);
    };
    type_.finish = [finish](const void* p, void* s, NodeRun& r) {
      return finish(*static_cast<const P*>(p), *static_cast<S*>(s), r);
    };
    return *this;
  }
  // Converts a function of the typed parameters to one of untyped parameters.
  template <class R, class... Args>
  static auto erased(R (*f)(const P&, Args...)) {
    return [f](const void* p, Args... args) -> R { return f(*static_cast<const P*>(p), std::forward<Args>(args)...); };
  }
  template <class T, class V>
  NodeBuilder& set(T& member, V value) {
    member = std::move(value);
    return *this;
  }
  ParamDecl& declare(std::string name, std::string title, ParamKind kind) {
    TL_CHECK(type_.params.size() < 64, "a node declares too many parameters");
    ParamDecl& d = type_.params.emplace_back();
    d.name = std::move(name);
    d.title = std::move(title);
    d.kind = kind;
    return d;
  }
  NodeType type_;
};

// Called by TL_NODE: makes the NodeType from a node's describe().
template <class P>
NodeType build_node(void (*describe)(NodeBuilder<P>&)) {
  return NodeBuilder<P>::build(describe);
}

}  // namespace tl
