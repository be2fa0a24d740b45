// Writes the sample files into a folder for temporary files, and removes it.
#include "tests/support/sample_files.h"

#include <ATen/ATen.h>

#include <stdlib.h>

#include <fstream>

#include "core/io/model/safetensors.h"
#include "core/io/output/volume_writer.h"
#include "core/net/architectures/architectures.h"
#include "core/net/files/network_file.h"
#include "core/net/script/trusted_programs.h"
#include "core/node/data_file.h"
#include "tests/support/script_maker.h"

namespace tl::test {

SampleFiles::SampleFiles() {
  std::string name = (std::filesystem::temp_directory_path() / "samples-XXXXXX").string();
  TL_CHECK(mkdtemp(name.data()) != nullptr, "there is a folder for temporary files");
  folder_ = name;
  io::VolumeTarget target;
  target.path = labels();
  target.grid = VolumeGrid::cubic(6, 8, 8, 0.7, {1, -2, 3});
  target.type = io::SampleType::uint16;
  target.low = 0;
  target.high = 65535;
  target.rules = io::no_inputs(io::Overwrite::refuse);
  const auto writer = io::open_imagej_tiff(target).or_throw();
  writer->write({0, 6}, at::arange(6 * 8 * 8, at::kFloat).remainder(5).view({6, 8, 8})).or_throw();
  io::OutputFile whole = writer->finish().or_throw();
  whole.commit().or_throw();
  net::Network tiny = net::make_network("msd", {"depth=3", "classes=3"}).or_throw();
  net::randomise(tiny, 1).or_throw();
  std::ofstream(network(), std::ios::binary) << io::to_safetensors(net::model_of(tiny));
  save_script(program(), "def forward(self, x):\n    return torch.sigmoid(torch.cat([31 * x, 0.2 - 7 * x], 1))\n");
  use_data_folder(folder_ / "data");
  (void)net::trust_program(program()).or_throw();
}

SampleFiles::~SampleFiles() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

const SampleFiles& sample_files() {
  static const SampleFiles files;
  return files;
}

}  // namespace tl::test
