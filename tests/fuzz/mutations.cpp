// Changes of bytes and tokens, drawn at random.
#include "tests/fuzz/mutations.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tl::fuzz {
namespace {

std::size_t below(Random& random, std::size_t n) {
  return static_cast<std::size_t>(random() % std::max<std::size_t>(n, 1));
}

// Positions of bytes that are not zero: files hold large empty parts, where changes mean nothing.
std::size_t written_place(const std::string& bytes, Random& random) {
  std::size_t at = below(random, bytes.size());
  for (int tries = 0; tries < 64 && bytes[at] == 0; ++tries) at = below(random, bytes.size());
  return at;
}

void set_extreme_integer(std::string& bytes, std::size_t at, Random& random) {
  constexpr std::array<uint64_t, 10> extremes = {
      0, 1, 0x7f, 0xff, 0x7fff, 0xffffffff, 0x7fffffff, 0x80000000, 0xffffffffffffffff, 0x0000010000000000};
  const uint64_t value = extremes[below(random, extremes.size())];
  const std::size_t width = std::size_t{1} << below(random, 4);
  for (std::size_t i = 0; i < width && at + i < bytes.size(); ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
}

void change_once(std::string& bytes, Random& random) {
  if (bytes.empty()) return;
  const std::size_t at = written_place(bytes, random);
  const std::size_t length = 1 + below(random, std::min<std::size_t>(bytes.size() - at, 64));
  switch (random() % 10) {
    case 0:
    case 1: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(random, 8))); break;
    case 2:
    case 3: bytes[at] = static_cast<char>(random()); break;
    case 4:
    case 5:
    case 6: set_extreme_integer(bytes, at, random); break;
    case 7: {
      const std::string piece = bytes.substr(at, length);
      const std::size_t to = below(random, bytes.size());
      bytes.replace(to, std::min(length, bytes.size() - to), piece);
      break;
    }
    case 8:
      if (random() % 2 == 0) {
        bytes.erase(at, length);
      } else {
        bytes.insert(at, bytes.substr(at, length));
      }
      break;
    default:
      if (random() % 4 == 0) bytes.resize(below(random, bytes.size()));
      break;
  }
}

// Numbers, words in quotes and single characters, in their order; white space belongs to the token before it.
std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (text[at] == '"') {
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
    } else if (std::string("+-.0123456789").find(text[at]) != std::string::npos) {
      while (end < text.size() && std::string("+-.eE0123456789").find(text[end]) != std::string::npos) ++end;
    } else if (std::isalpha(static_cast<unsigned char>(text[at])) != 0) {
      while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
    }
    while (end < text.size() && (text[end] == ' ' || text[end] == '\n')) ++end;
    tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

std::string extreme_token(Random& random) {
  static const std::vector<std::string> all = {"0",
                                               "-1",
                                               "1e308",
                                               "-1e308",
                                               "1e-320",
                                               "1e999",
                                               "9223372036854775807",
                                               "18446744073709551616",
                                               "null",
                                               "true",
                                               "[]",
                                               "{}",
                                               "\"\"",
                                               "\"\\u0000\"",
                                               "\"\\ud800\"",
                                               "\"/dev/null\"",
                                               "\"../../x\"",
                                               "\"\xff\xfe\"",
                                               "NaN",
                                               "-0.0",
                                               "[1,2,3]",
                                               "{\"a\":1}",
                                               "\"1 mm\"",
                                               "\"1e400 px\"",
                                               "\"auto\""};
  if (random() % 12 == 0) return "\"" + std::string(std::size_t{1} << (4 + below(random, 14)), 'x') + "\"";
  if (random() % 12 == 0) {
    const std::size_t depth = std::size_t{1} << (2 + below(random, 14));
    return std::string(depth, '[') + std::string(depth, ']');
  }
  return all[below(random, all.size())];
}

}  // namespace

std::string damaged_bytes(const std::string& good, Random& random) {
  std::string bad = good;
  for (std::size_t changes = 1 + below(random, 4); changes > 0; --changes) change_once(bad, random);
  return bad;
}

std::string damaged_text(const std::string& good, Random& random) {
  if (random() % 5 == 0) return damaged_bytes(good, random);
  std::vector<std::string> tokens = tokens_of(good);
  for (std::size_t changes = 1 + below(random, 3); changes > 0 && !tokens.empty(); --changes) {
    const std::size_t at = below(random, tokens.size()), other = below(random, tokens.size());
    switch (random() % 6) {
      case 0: tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at)); break;
      case 1: {
        const std::string copy = tokens[at];
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(other), copy);
        break;
      }
      case 2: std::swap(tokens[at], tokens[other]); break;
      case 3: tokens[at] = tokens[other]; break;
      default: tokens[at] = extreme_token(random); break;
    }
  }
  std::string bad;
  for (const std::string& token : tokens) bad += token;
  return bad;
}

}  // namespace tl::fuzz
