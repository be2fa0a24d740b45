// SampleFiles: files of labels, of a tiny network with random weights and of a program that is trusted.
#pragma once

#include <filesystem>
#include <string>

namespace tl::test {

class SampleFiles {
 public:
  SampleFiles();
  ~SampleFiles();
  SampleFiles(const SampleFiles&) = delete;
  SampleFiles& operator=(const SampleFiles&) = delete;
  [[nodiscard]] std::string labels() const { return (folder_ / "labels.tif").string(); }
  [[nodiscard]] std::string network() const { return (folder_ / "network.safetensors").string(); }
  [[nodiscard]] std::string program() const { return (folder_ / "program.pt").string(); }

 private:
  std::filesystem::path folder_;
};

// Valid while this program runs.
const SampleFiles& sample_files();

}  // namespace tl::test
