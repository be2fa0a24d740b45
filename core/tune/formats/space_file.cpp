// Recognises the form of a space and reads it.
#include "core/tune/formats/space_file.h"

#include "core/io/text/text_file.h"

namespace tl::tune {

const std::vector<SpaceFormat>& space_formats() {
  static const std::vector<SpaceFormat> all = {space_format_cache(), space_format_t4(), space_format_t1()};
  return all;
}

Result<SpaceFile> parse_space(std::string text, const std::filesystem::path& file) {
  TL_TRY(const JsonText parsed,
         JsonText::parse(std::move(text), file.filename().string(), JsonText::Ending::may_be_open));
  if (!parsed.root().is_object()) return parsed.bad("not a space: not an object", "", "Give a cache, T4 or T1 file");
  for (const SpaceFormat& format : space_formats()) {
    if (!format.is_of_this_form(parsed.root())) continue;
    TL_TRY(Space space, format.read(parsed));
    space.name = file.stem().string();
    return SpaceFile{std::move(space), &format};
  }
  return parsed.bad("not a space: there is neither \"tune_params\" nor \"results\" nor \"ConfigurationSpace\"", "",
                    "Give a Kernel Tuner cache, T4 results or a T1 input");
}

Result<SpaceFile> read_space(const std::filesystem::path& file) {
  TL_TRY(std::string text, io::read_text(file, "the space", int64_t{256} << 20));
  return parse_space(std::move(text), file);
}

}  // namespace tl::tune
