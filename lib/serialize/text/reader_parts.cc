// Reads the functions of a large text in several threads. Readers begin at lines that look like the first op
// of the module; if one of them does not end where the next begins, or finds an error, their work is dropped,
// and the text is read in order. The module is the same for any number of threads.
#include <algorithm>
#include <memory>
#include <utility>

#include "base/workers.h"
#include "ir/module/builder.h"
#include "ir/table/trait.h"
#include "serialize/text/reader_impl.h"

namespace shlo::text {

// Returns where parts begin: the first op, and lines with the same indentation and the same first word.
std::vector<const char*> Reader::PartsFrom(const char* first) const {
  const char* line = first;
  while (line > text_.data() && line[-1] == ' ') --line;
  if (line == text_.data() || line[-1] != '\n') return {};
  const char* word = first;
  while (word < c_.end && (Is(*word, kWordChar) || *word == '"')) ++word;
  const std::string_view begin(line - 1, size_t(word - line + 1));
  const size_t threads = NumThreads(options_.limits.threads), left = size_t(c_.end - first);
  const size_t count = std::min(left / kLeastPart, 16 * threads);
  std::vector<const char*> parts{first};
  for (size_t i = 1; i < count; ++i) {
    const char* const from = std::max(first + left / count * i, parts.back());
    const size_t at = std::string_view(from, size_t(c_.end - from)).find(begin);
    if (at == std::string_view::npos) break;
    const char* const part = from + at + (first - (line - 1));
    if (part > parts.back() + kLeastPart / 4) parts.push_back(part);
  }
  return parts;
}

// Reads from one place to another.
bool Reader::ReadPart(const Around& around, const char* from, const char* until) {
  is_part_ = tried_parts_ = true;
  wrap_ = around.wrap;
  depth_ = around.depth;
  contexts_ = around.contexts;
  until_ = until;
  until_level_ = contexts_.size();
  c_.p = from;
  given_back_ = size_t(from - text_.data());
  ReserveFor(std::string_view(from, size_t((until ? until : c_.end) - from)));
  places_.AddOps(1, 0);
  region_ = builder_.NewRegion();
  const BlockId block = builder_.NewBlock();
  builder_.BeginBlock(region_, block);
  const Scope scope = EnterScope(true);
  ReadOps(/*top=*/wrap_ && until_level_ == 1);
  LeaveScope(scope);
  builder_.EndBlock();
  builder_.EndRegion(region_);
  return diagnostics_.empty() && !stop_ && IsPart();
}

// Returns whether what was read does not depend on the ops around it: no names, and nothing that is counted
// through the whole text.
bool Reader::IsPart() const {
  if (unsound_at_) return false;
  for (const OpId id : m_.OpsOf(BlockId(1))) {
    const Op& op = m_.ops[id.v];
    if (!m_.Has(op, Trait::kIsolated) || m_.NumResults(op) || m_.NumOperands(op)) return false;
  }
  for (uint32_t i = 1; i < m_.attrs.size(); ++i)
    if (m_.attrs.KindOf(AttrId(i)) == AttrKind::kDistinct) return false;
  return true;
}

// Adds what another reader read from here on.
void Reader::Take(Reader& part) {
  const Absorbed added = Absorb(std::move(part.m_), &builder_);
  places_.Append(part.places_, OpId(added.first_op), ValueId(added.first_value));
  for (const OpName& name : part.op_names_) {
    OpName* const mine = FindName(name.name, name.first_use);
    mine->used = mine->used || name.used;
  }
  mhlo_nodes_ = mhlo_nodes_ || part.mhlo_nodes_;
  num_digits_ += part.num_digits_;
  written_versions_.insert(written_versions_.end(), part.written_versions_.begin(),
                           part.written_versions_.end());
  c_.p = part.c_.p;
  GiveBackPages(0);
}

// Reads ops up to the end of the module, or some of them, or none.
void Reader::ReadOpsInParts() {
  tried_parts_ = true;
  const size_t threads = NumThreads(options_.limits.threads);
  const bool may = threads > 1 && options_.implicit_locations.empty() && !is_part_;
  const std::vector<const char*> begins = may ? PartsFrom(c_.p) : std::vector<const char*>();
  if (begins.size() < 2) return;
  const Around around{wrap_, depth_, contexts_};
  std::vector<std::unique_ptr<Reader>> parts(begins.size());
  const auto end = [&](size_t i) { return i + 1 < begins.size() ? begins[i + 1] : nullptr; };
  const auto read = [&](size_t i) {
    auto part = std::make_unique<Reader>(text_, owner_, options_, around.wrap, source_);
    if (part->ReadPart(around, begins[i], end(i))) parts[i] = std::move(part);
  };
  // In order, each only if it begins where this reader is.
  const auto take = [&](size_t i) {
    if (!parts[i]) return false;
    Take(*parts[i]);
    parts[i].reset();
    return c_.p == end(i) || end(i) == nullptr;
  };
  // Few wait for their turn, because each holds memory.
  RunInOrder(begins.size(), threads, threads + 1, read, take);
}

}  // namespace shlo::text
