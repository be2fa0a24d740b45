// The verification table in the forms that people and programs read.
#pragma once

#include <string>

#include "gpu/verify/verify.h"

namespace tl::cli {

// {"passed", "version", "device", "checks": [...]}: every number in full.
std::string verify_json(const CheckTable& table);
// A page for the documentation, with the command that makes it.
std::string verify_markdown(const CheckTable& table, VerifySize size);
// One self-contained page: summary, then a table per kind of check with what it means and how far each row is from its
// bound.
std::string verify_html(const CheckTable& table);

}  // namespace tl::cli
