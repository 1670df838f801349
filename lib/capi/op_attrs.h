// Ops and their attributes by the names and texts that callers of a builder state. All functions throw as
// Fail does.
#pragma once

#include <string>
#include <string_view>

#include "shlo/module.h"

namespace shlo::capi {

// Parses an attribute of an op. The text may leave out what the op implies: of an enum the name of a case
// will do, of a string the quotes, of a symbol the '@', of a number the type.
AttrId ParseOpAttr(Module* m, std::string_view op, std::string_view name, const std::string& text);

// Sets the revision of a new op at the version of the module, or the name of an op without a row.
void NameOp(Module* m, std::string_view name, EditedSignature* op);

// Puts an attribute where ops keep it: in a slot, in those that a struct attribute groups, or in the list.
// Fails if it is there already.
void PlaceAttr(Module* m, std::string_view name, AttrId value, EditedSignature* op);

// Sets what the attributes of a new op imply: lists that are left out of a struct attribute with other fields
// are empty, as in its text, and some defaults are written out.
void FillAttrs(Module* m, EditedSignature* op);

// Erases an attribute, or those that a struct attribute groups.
void ClearAttr(const Module& m, std::string_view name, EditedSignature* op);

}  // namespace shlo::capi
