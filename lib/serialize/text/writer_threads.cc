// Prints the functions of a large program in several threads. Names of values begin again in each
// function, so that the text does not depend on how many there are.
#include <algorithm>
#include <memory>
#include <mutex>

#include "base/workers.h"
#include "ir/module/pieces.h"
#include "serialize/text/writer_ops.h"

namespace shlo::text {
namespace {

constexpr size_t kOpsOfPiece = 4096;
constexpr size_t kTextOfOp = 128;  // bytes, of most ops

}  // namespace

bool OpPrinter::WorthThreads() const {
  if (threads_ <= 1 || !write_out_ || held_ || m_.ops.size() < 4 * kOpsOfPiece) return false;
  // These are numbered through the whole program.
  if (style_.generic || attrs_.collecting()) return false;
  for (uint32_t i = 1; i < m_.attrs.size(); ++i)
    if (m_.attrs.KindOf(AttrId(i)) == AttrKind::kDistinct) return false;
  return true;
}

OpPrinter::OpPrinter(const OpPrinter& other, TextBuffer* out)
    : m_(other.m_),
      options_(other.options_),
      style_(other.style_),
      out_(*out),
      attrs_(other.m_, other.options_.elide_elements, out),
      names_(other.names_),
      scope_(other.scope_) {
  if (style_.boolean_lists) attrs_.ListBooleans();
  if (style_.mhlo) attrs_.UseMhlo();
  if (other.aliases_) UseAliases(other.aliases_, /*collecting=*/false);
  vhlo_values_ = other.vhlo_values_;
  indent_ = other.indent_;
  depth_ = other.depth_;
  LimitOutput(other.max_output_);
  attrs_.UseLargeConstants(&constants_);
}

void OpPrinter::PrintInThreads(std::span<const OpId> ops) {
  if (!Finish()) return;
  struct Piece {
    TextBuffer text;
    LargeConstants constants;
    bool ok = false, too_long = false;
  };
  const std::vector<std::span<const OpId>> parts = PiecesOf(ops, kOpsOfPiece);
  std::vector<Piece> pieces(parts.size());
  struct Worker {
    TextBuffer text;
    std::unique_ptr<OpPrinter> printer;
  };
  std::mutex mutex;
  std::vector<std::unique_ptr<Worker>> idle;
  const auto print = [&](size_t i) {
    std::unique_ptr<Worker> worker;
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        worker = std::move(idle.back());
        idle.pop_back();
      }
    }
    if (!worker) {
      worker = std::make_unique<Worker>();
      worker->text.reserve(kOpsOfPiece * kTextOfOp);
      worker->printer = std::make_unique<OpPrinter>(*this, &worker->text);
    }
    OpPrinter& printer = *worker->printer;
    printer.PrintOps(parts[i], /*in_func=*/false);
    pieces[i].too_long = printer.too_long();
    pieces[i].ok = !printer.failed() && !printer.too_long();
    pieces[i].text.swap(worker->text);
    std::swap(pieces[i].constants, printer.constants_);
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(worker));
  };
  const auto take = [&](size_t i) {
    too_long_ = pieces[i].too_long;
    if (!pieces[i].ok || !write_out_(&pieces[i].text, &pieces[i].constants)) attrs_.Fail();
    // Memory for the piece that takes its place.
    const std::lock_guard lock(mutex);
    for (const auto& worker : idle)
      if (worker->text.capacity() < pieces[i].text.capacity()) {
        worker->text.swap(pieces[i].text);
        break;
      }
    pieces[i].text = TextBuffer();
    return !attrs_.failed();
  };
  RunInOrder(pieces.size(), threads_, threads_ + 2, print, take);
}

}  // namespace shlo::text
