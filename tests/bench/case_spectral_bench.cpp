// The beam-hardening case alone: see case_spectral.cpp for its arguments.
#include "case_spectral.h"

int main(int argc, char** argv) {
  tl::bench::Arguments arguments(argc, argv);
  tl::bench::beam_hardening_case(arguments);
  return 0;
}
