// Case A6 as a program: see case_tv_network.cpp.
#include "bench.h"

namespace tl::bench {
void tv_network_case(Arguments& arguments);
}

int main(int argc, char** argv) {
  tl::bench::Arguments arguments(argc, argv);
  tl::bench::tv_network_case(arguments);
}
