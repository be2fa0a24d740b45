// Divides references into authors, title and year, and writes them as BibTeX.
#include "core/history/report/bibtex.h"

#include <algorithm>
#include <regex>
#include <set>

#include "core/base/text.h"

namespace tl::history {
namespace {

std::vector<std::string> parts_between(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    if (const std::string_view part = trimmed(text.substr(begin, end - begin)); !part.empty()) parts.emplace_back(part);
    begin = end + separator.size();
  }
  return parts;
}

// "A. C. Kak", "J.-M. Morel", "G. Van Gompel", "Slaney"; with "et al." the authors end.
bool is_author(const std::string& part) {
  static const std::regex name(R"(([A-Z]\.[ -]?)*([A-Za-z][a-z]+ )?[A-Z][A-Za-z'-]*[a-z]( et al\.)?)");
  static const std::regex initials(R"(([A-Z]\.[ -]?)+.*)");
  return std::regex_match(part, name) &&
         (part.find(' ') == std::string::npos || std::regex_match(part, initials) || part.ends_with(" et al."));
}

std::string bibtex_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) {
      escaped += std::string("\\") + c;
    } else if (c == '\\') {
      escaped += "\\textbackslash{}";
    } else if (c == '~') {
      escaped += "\\textasciitilde{}";
    } else if (c == '^') {
      escaped += "\\textasciicircum{}";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string key_of(const Citation& citation, std::set<std::string>& taken) {
  std::string name = citation.authors.empty() ? "reference" : citation.authors.front();
  if (const std::size_t others = name.find(" et al."); others != std::string::npos) name.erase(others);
  name = name.substr(name.find_last_of(' ') + 1);
  std::erase_if(name, [](char c) { return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z'); });
  const std::string base = (name.empty() ? "reference" : name) + citation.year;
  std::string key = base;
  for (int i = 2; !taken.insert(key).second; ++i) key = base + "-" + std::to_string(i);
  return key;
}

std::string author_list(const std::vector<std::string>& authors) {
  std::string list;
  for (const std::string& author : authors) {
    if (!list.empty()) list += " and ";
    const std::size_t others = author.find(" et al.");
    list += others == std::string::npos ? author : author.substr(0, others) + " and others";
  }
  return list;
}

}  // namespace

Citation parse_citation(std::string_view text) {
  Citation citation;
  static const std::regex year_at(R"(\b(1[89]|20)[0-9][0-9]\b)");
  // The last number that may be a year: page numbers come before the year, and a volume number precedes them.
  const std::string whole(text);
  for (auto at = std::sregex_iterator(whole.begin(), whole.end(), year_at); at != std::sregex_iterator(); ++at) {
    const auto place = static_cast<std::size_t>(at->position());
    const bool is_in_brackets = place > 0 && whole[place - 1] == '(';
    if (citation.year.empty() || is_in_brackets) citation.year = at->str();
  }
  const std::vector<std::string> parts = parts_between(text, ", ");
  std::size_t next = 0;
  while (next + 1 < parts.size() && is_author(parts[next])) {
    citation.authors.push_back(parts[next++]);
    if (citation.authors.back().ends_with(" et al.")) break;
  }
  const auto is_title = [](const std::string& part) {
    return part.find_first_of("0123456789.(") == std::string::npos && part.find(' ') != std::string::npos;
  };
  if (!citation.authors.empty() && next + 1 < parts.size() && is_title(parts[next])) citation.title = parts[next++];
  for (; next < parts.size(); ++next) citation.rest += (citation.rest.empty() ? "" : ", ") + parts[next];
  return citation;
}

std::string bibtex_of(const Graph& graph, const Registry& registry) {
  std::string entries;
  std::set<std::string> texts, keys;
  const auto order = topological_order(graph);
  if (!order.ok()) return entries;
  for (const std::string& id : order.value()) {
    const NodeType* const type = find_node_type(graph, registry, id);
    if (type == nullptr || graph.nodes.at(id).use != NodeUse::active) continue;
    for (const std::string& all : type->citations)
      for (const std::string& text : parts_between(all, "; ")) {
        if (!texts.insert(text).second) continue;
        const Citation citation = parse_citation(text);
        if (!entries.empty()) entries += "\n";
        entries += "@misc{" + key_of(citation, keys);
        const std::vector<std::pair<const char*, std::string>> fields = {{"author", author_list(citation.authors)},
                                                                         {"title", citation.title},
                                                                         {"howpublished", citation.rest},
                                                                         {"year", citation.year}};
        for (const auto& [field, value] : fields)
          if (!value.empty()) entries += std::string(",\n  ") + field + " = {" + bibtex_text(value) + "}";
        entries += "\n}\n";
      }
  }
  return entries;
}

}  // namespace tl::history
