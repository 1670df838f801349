#include "base/request_status.h"

namespace shlo {

RequestStatus StatusOf(Code code) {
  switch (code) {
    case Code::kSyntax:
    case Code::kMalformed:
    case Code::kChecksum:
    case Code::kLimit:
    case Code::kUnknownVersion:
    case Code::kNewerVersion:
    case Code::kUnsupported:
    case Code::kCanceled:
      return RequestStatus::kBadInput;
    case Code::kInvalidProgram:
    case Code::kConstraint:
    case Code::kBlocked:
    case Code::kOutsideWindow:
    case Code::kEvaluation:
    case Code::kNotEqual:
    case Code::kPolicy:
      return RequestStatus::kNegative;
    case Code::kUsage:
      return RequestStatus::kUsage;
    case Code::kIo:
      return RequestStatus::kSystem;
  }
  return RequestStatus::kBadInput;
}

RequestStatus StatusOf(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics)
    if (d.severity == Severity::kError) return StatusOf(d.code);
  return RequestStatus::kNegative;
}

RequestStatus ReadStatusOf(const Diagnostics& diagnostics) {
  return StatusOf(diagnostics) == RequestStatus::kSystem ? RequestStatus::kSystem : RequestStatus::kBadInput;
}

}  // namespace shlo
