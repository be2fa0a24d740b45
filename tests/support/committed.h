// Gives a complete output its name immediately, where a run would wait for its record.
#pragma once

#include <utility>

#include "core/io/output/output_file.h"

namespace tl::test {

inline Result<void> committed(Result<io::OutputFile> whole) {
  return whole.ok() ? std::move(whole).value().commit() : Result<void>(whole.error());
}

}  // namespace tl::test
