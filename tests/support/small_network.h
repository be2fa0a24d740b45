// Writes the file of a small network with random weights, like one after training.
#pragma once

#include <string>

#include "core/net/architectures/architectures.h"
#include "core/train/network_to_train.h"

namespace tl::test {

inline net::Network small_network(int depth, int classes = 2) {
  net::Network network =
      net::make_network("msd", {"depth=" + std::to_string(depth), "classes=" + std::to_string(classes)}).or_throw();
  net::randomise(network, 3).or_throw();
  for (int64_t c = 0; c < classes; ++c) network.classes.push_back({c + 1, c == 0 ? "foam" : "air", ""});
  return network;
}

inline void write_small_network(const std::string& file, int depth, int classes = 2) {
  train::write_network(small_network(depth, classes), file, io::no_inputs(io::Overwrite::refuse)).or_throw();
}

}  // namespace tl::test
