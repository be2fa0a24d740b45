// A small network trained on the labelled slices of one volume.
#pragma once

#include <ATen/ATen.h>

#include <string>

#include "core/net/architectures/architectures.h"
#include "core/train/train.h"
#include "core/values/values.h"

namespace tl::test {

// MS-D of depth 10, a class for each of the labels; some seconds for slices of 48^2.
inline net::Network network_trained_on(const at::Tensor& volume, const Labels& labels, const LabelsInfo& info) {
  train::TrainingSet set;
  set.training = {{"slices", volume.unsqueeze(0), labels.data}};
  set.classes = info.table.classes;
  net::Network network =
      net::make_network("msd", {"depth=10", "classes=" + std::to_string(set.classes.size())}).or_throw();
  train::TrainingOptions options;
  options.epochs = 8;
  options.steps = 60;
  options.optimiser.rate = 0.01;
  options.schedule = train::RateSchedule::cosine;
  (void)train::train(network, set, options).or_throw();
  return network;
}

}  // namespace tl::test
