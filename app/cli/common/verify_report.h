// Verification report: the table of checks as JSON, Markdown or HTML.
#pragma once

#include <string>

#include "gpu/verify/verify.h"

namespace tl::cli {

// {"passed", "version", "device", "checks": [...]}, with all digits of numbers.
std::string verify_json(const CheckTable& table);
// A page of the documentation, including the command that generates it.
std::string verify_markdown(const CheckTable& table, VerifySize size);
// One self-contained page: summary, then one table per kind of check with its meaning and how much of its bound each
// row uses.
std::string verify_html(const CheckTable& table);

}  // namespace tl::cli
