// File endings by format: volume and surface formats define their own; for other outputs the nodes define them.
#include "core/graph/output_names.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/io/volumes/format.h"
#include "core/mesh/mesh_file.h"

namespace tl {
namespace {

constexpr const char* format_param = "format";

const ParamDecl* output_file_of(const NodeType& type) {
  const auto found =
      std::find_if(type.params.begin(), type.params.end(), [](const auto& p) { return p.path == PathRole::output; });
  return found == type.params.end() ? nullptr : &*found;
}

// Nothing for the choice that selects the format by the file name.
std::optional<OutputFormat> format_of(const Choice& choice) {
  if (const io::VolumeFormat* volume = io::find_volume_format(choice.name))
    return OutputFormat{choice.name, choice.title, words_of(volume->extensions),
                        volume->output_kind == io::OutputKind::folder};
  for (const mesh::MeshFormat& surface : mesh::mesh_formats())
    if (surface.ending == "." + choice.name) return OutputFormat{choice.name, choice.title, {"." + choice.name}};
  return std::nullopt;
}

// The ending of this format that a file name has; empty: none.
std::string ending_in(const OutputFormat& format, const std::string& file) {
  const std::string name = lower_case(file);
  std::string longest;
  for (const std::string& ending : format.endings)
    if (name.size() > ending.size() && name.ends_with(ending) && ending.size() > longest.size()) longest = ending;
  return longest;
}

const OutputFormat* format_by_ending(const std::vector<OutputFormat>& all, const std::string& file) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const OutputFormat& f) { return !ending_in(f, file).empty(); });
  return found == all.end() ? nullptr : &*found;
}

// Without a slash at the end, which names of folders may have.
std::filesystem::path named(const std::filesystem::path& file) {
  return file.has_filename() ? file : file.parent_path();
}

// Whether a name has an ending of any file that an output node writes.
bool has_ending_of_a_file(const std::string& name) {
  const auto& types = Registry::all().types();
  return std::any_of(types.begin(), types.end(),
                     [&](const NodeType& t) { return format_by_ending(output_formats(t), name) != nullptr; });
}

bool fits(const OutputFormat& format, const std::filesystem::path& file) {
  const std::filesystem::path name = named(file);
  if (!name.has_extension() || !ending_in(format, name.string()).empty()) return true;
  return format.is_folder && !has_ending_of_a_file(name.string());
}

const OutputFormat* chosen(const std::vector<OutputFormat>& all, std::string_view choice) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const OutputFormat& f) { return f.choice == choice; });
  return found == all.end() ? nullptr : &*found;
}

std::string param_text(const GraphNode& node, const ParamDecl& decl) {
  const auto set = node.params.find(decl.name);
  const auto* text = std::get_if<std::string>(set == node.params.end() ? &decl.initial : &set->second);
  return text == nullptr ? std::string() : *text;
}

}  // namespace

std::vector<OutputFormat> output_formats(const NodeType& type) {
  const ParamDecl* file = output_file_of(type);
  if (file != nullptr && !file->file_endings.empty()) return {{"", file->file_format, file->file_endings}};
  std::vector<OutputFormat> all;
  const ParamDecl* formats = file == nullptr ? nullptr : type.param(format_param);
  if (formats == nullptr) return all;
  for (const Choice& choice : formats->choices)
    if (std::optional<OutputFormat> format = format_of(choice)) all.push_back(*std::move(format));
  return all;
}

std::string with_ending_of(const OutputFormat& format, const NodeType& type, const std::string& file) {
  const std::string name = named(file).string();
  std::string longest;
  for (const OutputFormat& f : output_formats(type))
    if (const std::string ending = ending_in(f, name); ending.size() > longest.size()) longest = ending;
  return name.substr(0, name.size() - longest.size()) + (format.endings.empty() ? "" : format.endings.front());
}

Result<void> check_output_name(const std::string& node_type, std::string_view format,
                               const std::filesystem::path& file) {
  const NodeType* type = Registry::all().find(node_type);
  if (type == nullptr || file.empty()) return ok();
  const std::vector<OutputFormat> all = output_formats(*type);
  const OutputFormat* written = chosen(all, format);
  if (written == nullptr || fits(*written, file)) return ok();
  const std::string name = named(file).filename().string();
  std::string hint = "Name it " + with_ending_of(*written, *type, name);
  const OutputFormat* other = format_by_ending(all, name);
  if (other == nullptr) return invalid("\"" + name + "\" does not end like " + written->title, "file", hint);
  hint += ", or choose the format " + other->title;
  return invalid("\"" + name + "\" is named like " + other->title + ", but would be written as " + written->title,
                 "file", hint);
}

void match_name_and_format(GraphNode& node, const NodeType& type, std::string_view changed) {
  const std::vector<OutputFormat> all = output_formats(type);
  const ParamDecl *file = output_file_of(type), *formats = type.param(format_param);
  if (file == nullptr || formats == nullptr) return;
  const OutputFormat* now = chosen(all, param_text(node, *formats));
  const std::string name = param_text(node, *file);
  if (now == nullptr || name.empty() || fits(*now, name)) return;
  if (changed == formats->name) node.params[file->name] = with_ending_of(*now, type, name);
  if (changed != file->name) return;
  if (const OutputFormat* wanted = format_by_ending(all, name)) node.params[formats->name] = wanted->choice;
}

}  // namespace tl
