// Apart from outside.cc: libshlo_lite, which is given no constants outside, has its own.
#include "base/format.h"
#include "base/guarded.h"
#include "base/sha256.h"
#include "base/try.h"
#include "shlo/outside.h"

namespace shlo {

Result<InputFile> ReadOutside(const FindOutside& find, const OutsideConstant& constant) {
  return Guarded([&]() -> Result<InputFile> {
    const std::string name = OutsideName(constant);
    if (!find)
      return Error(Code::kIo, StrFormat("constant '{}' is not in the file", name), {},
                   "pass the file of tensors that has it: --weights=PATH");
    auto found = SHLO_TRY(find(constant));
    if (found.bytes.size() != constant.size || Sha256Of(found.bytes) != constant.sha256)
      return Error(Code::kChecksum,
                   StrFormat("constant '{}' in '{}' is not the one that the program uses", name, found.name),
                   {}, StrFormat("its SHA-256 must be {}", Sha256Text(constant.sha256)));
    return found;
  });
}

}  // namespace shlo
