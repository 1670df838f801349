// Tensors: values in memory of the caller, of DLPack, and in files.
#include <dlpack/dlpack.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "arguments/eval_arguments.h"
#include "base/format.h"
#include "capi/tensor.h"
#include "serialize/text/reader_fragments.h"
#include "shlo/evaluate.h"
#include "shlo/file_io.h"
#include "shlo/random_tensor.h"
#include "shlo/strided.h"
#include "shlo/tensor_file.h"

namespace shlo::capi {
namespace {

// Elements that DLPack has. Codes from 6 on are those of later versions than the header.
struct DlType {
  TypeKind kind;
  uint8_t code, bits;
};
constexpr DlType kDlTypes[] = {{TypeKind::kI8, kDLInt, 8},     {TypeKind::kI16, kDLInt, 16},
                               {TypeKind::kI32, kDLInt, 32},   {TypeKind::kI64, kDLInt, 64},
                               {TypeKind::kUI8, kDLUInt, 8},   {TypeKind::kUI16, kDLUInt, 16},
                               {TypeKind::kUI32, kDLUInt, 32}, {TypeKind::kUI64, kDLUInt, 64},
                               {TypeKind::kF16, kDLFloat, 16}, {TypeKind::kF32, kDLFloat, 32},
                               {TypeKind::kF64, kDLFloat, 64}, {TypeKind::kBF16, kDLBfloat, 16},
                               {TypeKind::kI1, 6, 8},          {TypeKind::kF8E3M4, 7, 8},
                               {TypeKind::kF8E4M3, 8, 8},      {TypeKind::kF8E4M3B11FNUZ, 9, 8},
                               {TypeKind::kF8E4M3FN, 10, 8},   {TypeKind::kF8E4M3FNUZ, 11, 8},
                               {TypeKind::kF8E5M2, 12, 8},     {TypeKind::kF8E5M2FNUZ, 13, 8},
                               {TypeKind::kF8E8M0FNU, 14, 8}};

std::optional<ElementType> ElementOf(DLDataType type) {
  if (type.lanes != 1) return std::nullopt;
  if (type.code == kDLComplex && (type.bits == 64 || type.bits == 128))
    return ElementType{type.bits == 64 ? TypeKind::kF32 : TypeKind::kF64, true};
  for (const DlType& known : kDlTypes)
    if (known.code == type.code && known.bits == type.bits) return ElementType{known.kind};
  return std::nullopt;
}

std::optional<DLDataType> DlTypeOf(const ValueType& type) {
  const ElementType element = type.element;
  if (!type.is_tensor() || type.quantization) return std::nullopt;
  if (element.complex) return DLDataType{kDLComplex, uint8_t(element.width()), 1};
  for (const DlType& known : kDlTypes)
    if (known.kind == element.kind) return DLDataType{known.code, known.bits, 1};
  return std::nullopt;
}

// Returns a type that is given as text.
ValueTypePtr ParseType(const char* text) {
  Module module;
  const auto owner = std::make_shared<std::string>(text);
  const TypeId id = Take(ReadTypeText(&module, *owner, owner));
  ValueTypePtr type = TensorTypeOf(module, id);
  if (!type)
    Fail(Code::kUsage, shlo::StrFormat("'{}' is not the type of a value", text), "pass a static tensor type");
  return type;
}

ElementType ParseElement(const char* text) {
  const std::string_view name = text;
  if (const TypeKind kind = FindTypeKind("", name); BitWidth(kind) > 0) return {kind};
  Module module;
  const auto owner = std::make_shared<std::string>(name);
  const auto element = ElementTypeOf(module, Take(ReadTypeText(&module, *owner, owner)));
  if (!element) Fail(Code::kUsage, shlo::StrFormat("'{}' is not the element type of a value", text));
  return *element;
}

// Elements of fewer than 8 bits are in bytes whose other bits are 0, and booleans are 0 or 1. Returns whether
// elements of the caller are so.
bool IsClean(const Tensor& tensor) {
  const uint32_t bits = tensor.element().width();
  if (bits >= 8) return true;
  const uint8_t excess = uint8_t(0xFF << bits);
  const uint8_t* const data = tensor.data();
  return std::none_of(data, data + tensor.stored_bytes(), [=](uint8_t byte) { return (byte & excess) != 0; });
}

Tensor Cleaned(const Tensor& tensor) {
  Tensor clean = Tensor::Uninitialized(tensor.type_ptr());
  if (!clean) throw std::bad_alloc();
  const uint32_t bits = tensor.element().width();
  const uint8_t mask = uint8_t(~(0xFF << bits));
  const bool is_bool = tensor.element().is_bool();
  std::transform(tensor.data(), tensor.data() + tensor.stored_bytes(), clean.mutable_data(),
                 [=](uint8_t byte) { return uint8_t(is_bool ? byte != 0 : byte & mask); });
  return clean;
}

// Makes a tensor of memory that `owner` gives back; copies it unless `borrow`.
TensorPtr FromMemory(const ValueTypePtr& type, const void* data, std::span<const int64_t> strides,
                     bool borrow, Buffer owner) {
  if (type->bytes) Require(data, "data");
  Tensor view = Take(TensorAt(type, data, strides));
  const bool copied = view.data() != static_cast<const uint8_t*>(data);
  if (!IsClean(view))
    view = Cleaned(view);
  else if (!copied && borrow)
    view = Tensor::View(type, static_cast<const uint8_t*>(data), std::move(owner));
  else if (!copied)
    view = view.Owned();
  if (!view) throw std::bad_alloc();
  return NewTensor(std::move(view));
}

TensorPtr Retained(const shlo_tensor* tensor) {
  return TensorPtr(shlo_tensor_retain(const_cast<shlo_tensor*>(tensor)));
}

const Tensor& Expanded(const shlo_tensor& tensor) {
  if (!tensor.tensor.splat()) return tensor.tensor;
  const std::lock_guard lock(tensor.mutex);
  if (!tensor.expanded) tensor.expanded = tensor.tensor.Expanded();
  if (!tensor.expanded) throw std::bad_alloc();
  return tensor.expanded;
}

// A tensor that a consumer of DLPack holds.
struct Exported {
  DLManagedTensor managed;
  TensorPtr tensor;
  std::vector<int64_t> shape, strides;
};

shlo_tensors* ReadTensors(InputFile input, const shlo_program* program, const char* function,
                          const Limits& limits) {
  const TensorFile file = Take(TensorFile::Open(input.bytes, input.owner, input.name, {.limits = limits}));
  std::vector<TypeId> declared;
  std::vector<size_t> order(file.size());
  if (program) {
    order = Take(shlo::ArgumentOrder(file));
    declared = DeclaredArguments(program->program.module, Text(function));
    const auto platform = PlatformArgument(program->program.module, Text(function));
    if (platform && *platform < declared.size()) declared.erase(declared.begin() + ptrdiff_t(*platform));
  }
  auto out = std::make_unique<shlo_tensors>();
  for (size_t i = 0; i < file.size(); ++i) {
    ValueTypePtr type;
    if (order[i] < declared.size())
      type = shlo::ArgumentType(program->program.module, declared[order[i]], Take(file.Shape(i)));
    Add(NewTensor(Take(shlo::ReadAs(file, i, type))), file.name(i), out.get());
  }
  return out.release();
}

NamedTensors Named(const shlo_tensors& tensors) {
  NamedTensors named;
  for (size_t i = 0; i < tensors.list.size(); ++i) {
    if (!tensors.list[i]->tensor.type().is_tensor())
      Fail(Code::kUnsupported, shlo::StrFormat("value {} is not a tensor", i), "leave out tokens and tuples");
    named.emplace_back(tensors.names[i].empty() ? shlo::StrFormat("arr_{}", i) : tensors.names[i],
                       tensors.list[i]->tensor);
  }
  return named;
}

Result<void> WriteTensorsTo(const NamedTensors& named, shlo_tensor_format format, const Sink& sink) {
  return format == SHLO_TENSORS_SAFETENSORS ? WriteSafetensorsTo(named, sink) : WriteNpzTo(named, sink);
}

void CheckFormat(shlo_tensor_format format) {
  if (format < SHLO_TENSORS_DEFAULT || format > SHLO_TENSORS_SAFETENSORS)
    Fail(Code::kUsage, shlo::StrFormat("unknown format {}", format));
}

}  // namespace

TensorPtr NewTensor(Tensor tensor) {
  TensorPtr out(new shlo_tensor);
  for (const Tensor& member : tensor.members()) {
    out->members.reserve(tensor.members().size());
    out->members.push_back(NewTensor(member).release());
  }
  out->type = TypeName(tensor.type());
  if (tensor.type().is_tensor()) out->element = ElementName(tensor.element());
  out->tensor = std::move(tensor);
  return out;
}

void Add(TensorPtr tensor, std::string name, shlo_tensors* list) {
  list->list.reserve(list->list.size() + 1);
  list->names.push_back(std::move(name));
  list->list.push_back(tensor.release());
}

ValueTypePtr TypeOf(const shlo_tensor_desc& desc) {
  if (desc.type) return ParseType(desc.type);
  Require(desc.element, "element");
  if (desc.rank) Require(desc.shape, "shape");
  const ElementType element = ParseElement(desc.element);
  ValueTypePtr type = MakeTensorType(element, {desc.shape, desc.rank});
  if (!type)
    Fail(Code::kUsage,
         shlo::StrFormat("there is no tensor of [{}] with elements of type '{}'",
                         fmt::join(desc.shape, desc.shape + desc.rank, ", "), desc.element),
         "dimensions are not negative, and the size is representable");
  return type;
}

std::span<const int64_t> StridesOf(const shlo_tensor_desc& desc) {
  if (!desc.strides) return {};
  return {desc.strides, desc.rank};
}

}  // namespace shlo::capi

using namespace shlo::capi;
using shlo::Code;
using shlo::Tensor;

extern "C" {

shlo_error* shlo_tensor_create(const shlo_tensor_desc* given, shlo_tensor** out) {
  return Try([&] {
    // The release function must be known first: the caller gave the memory away.
    const shlo_tensor_desc known = KnownPart(given);
    shlo::Buffer owner;
    if (known.borrow && known.release)
      owner = shlo::Buffer(
          known.data ? known.data : given,
          [release = known.release, context = known.release_context](const void*) { release(context); });
    Require(out, "out");
    *out = nullptr;
    Require(given, "desc");
    const shlo_tensor_desc desc = OptionsOf(given, "shlo_tensor_desc");
    *out = FromMemory(TypeOf(desc), desc.data, StridesOf(desc), desc.borrow != 0, std::move(owner)).release();
  });
}

shlo_error* shlo_tensor_parse(const char* text, shlo_tensor** out) {
  return Make(out, [&] {
    Require(text, "text");
    auto tensors = Take(shlo::ParseTensors(text, "<tensor>"));
    if (tensors.size() != 1) Fail(Code::kSyntax, "expected one constant");
    return NewTensor(std::move(tensors[0])).release();
  });
}

shlo_error* shlo_tensor_random(const char* type, uint64_t seed, shlo_tensor** out) {
  return Make(out, [&] {
    Require(type, "type");
    Tensor tensor = shlo::RandomTensor(ParseType(type), seed);
    if (!tensor) throw std::bad_alloc();
    return NewTensor(std::move(tensor)).release();
  });
}

shlo_error* shlo_tensor_of_attr(const shlo_program* program, shlo_attr attr, shlo_tensor** out) {
  return Make(out, [&] {
    const shlo::Module& m = Get(program).program.module;
    if (attr == 0 || attr >= m.attrs.size())
      Fail(Code::kUsage, shlo::StrFormat("there is no attribute {}", attr));
    const Tensor view = Take(shlo::TensorFromAttr(m, shlo::AttrId(attr)));
    shlo_program* const retained = shlo_program_retain(const_cast<shlo_program*>(program));
    const shlo::Buffer owner(retained, [](const void* p) {
      shlo_program_release(static_cast<shlo_program*>(const_cast<void*>(p)));
    });
    return NewTensor(Tensor::View(view.type_ptr(), view.data(), owner, view.splat())).release();
  });
}

shlo_tensor* shlo_tensor_retain(shlo_tensor* tensor) {
  if (tensor) tensor->references.fetch_add(1, std::memory_order_relaxed);
  return tensor;
}

void shlo_tensor_release(shlo_tensor* tensor) {
  if (tensor && tensor->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete tensor;
}

int shlo_tensor_get(const shlo_tensor* tensor, shlo_tensor_info* out) {
  if (!tensor) return 0;
  const shlo::ValueType& type = tensor->tensor.type();
  shlo_tensor_info info{};
  info.type = Str(tensor->type);
  info.element = Str(tensor->element);
  info.member_count = uint32_t(tensor->members.size());
  if (type.is_tensor()) {
    info.rank = uint32_t(type.shape.size());
    info.shape = type.shape.data();
    info.count = type.count;
    info.element_bytes = type.element.bytes();
    info.bytes = type.bytes;
  }
  return Put(info, out);
}

shlo_error* shlo_tensor_data(const shlo_tensor* tensor, const void** data, size_t* size) {
  return Try([&] {
    Require(data, "data");
    *data = nullptr;
    if (size) *size = 0;
    Require(tensor, "tensor");
    if (!tensor->tensor.type().is_tensor()) Fail(Code::kUsage, "expected a tensor, got a token or tuple");
    const Tensor& elements = Expanded(*tensor);
    *data = elements.data();
    if (size) *size = elements.stored_bytes();
  });
}

shlo_error* shlo_tensor_copy_to(const shlo_tensor* tensor, const shlo_tensor_desc* given) {
  return Try([&] {
    Require(tensor, "tensor");
    Require(given, "desc");
    const shlo_tensor_desc desc = OptionsOf(given, "shlo_tensor_desc");
    const shlo::ValueTypePtr type = TypeOf(desc);
    if (!(*type == tensor->tensor.type()))
      Fail(Code::kUsage,
           shlo::StrFormat("expected memory for {}, got {}", tensor->type, shlo::TypeName(*type)));
    if (type->bytes) Require(desc.data, "data");
    Take(shlo::CopyTo(tensor->tensor, desc.data, StridesOf(desc)));
  });
}

const shlo_tensor* shlo_tensor_member(const shlo_tensor* tensor, uint32_t i) {
  return tensor && i < tensor->members.size() ? tensor->members[i] : nullptr;
}

shlo_error* shlo_tensor_tuple(const shlo_tensor* const* members, size_t count, shlo_tensor** out) {
  return Make(out, [&] {
    if (count) Require(members, "members");
    std::vector<Tensor> values;
    for (size_t i = 0; i < count; ++i) {
      Require(members[i], "members[i]");
      values.push_back(members[i]->tensor);
    }
    return NewTensor(Tensor::Tuple(std::move(values))).release();
  });
}

shlo_error* shlo_tensor_text(const shlo_tensor* tensor, uint64_t max_elements, shlo_buffer** out) {
  return Make(out, [&] {
    Require(tensor, "tensor");
    return NewBuffer(shlo::PrintTensor(tensor->tensor,
                                       max_elements ? max_elements : std::numeric_limits<uint64_t>::max()));
  });
}

int shlo_tensor_equal(const shlo_tensor* a, const shlo_tensor* b) {
  return Ask(0, [&] { return int(a && b && shlo::BitEqual(a->tensor, b->tensor)); });
}

shlo_error* shlo_tensor_from_dlpack(struct DLManagedTensor* managed, shlo_tensor** out) {
  return Try([&] {
    Require(managed, "managed");
    const shlo::Buffer owner(managed, [](const void* p) {
      auto* tensor = static_cast<DLManagedTensor*>(const_cast<void*>(p));
      if (tensor->deleter) tensor->deleter(tensor);
    });
    Require(out, "out");
    *out = nullptr;
    const DLTensor& from = managed->dl_tensor;
    if (from.device.device_type != kDLCPU)
      Fail(Code::kUnsupported, "the tensor is not in memory of the CPU", "copy it to the CPU first");
    const auto element = ElementOf(from.dtype);
    if (!element)
      Fail(Code::kUnsupported, shlo::StrFormat("elements of DLPack type ({}, {}, {}) are not known",
                                               from.dtype.code, from.dtype.bits, from.dtype.lanes));
    if (from.ndim < 0) Fail(Code::kUsage, "the number of dimensions is negative");
    if (from.ndim) Require(from.shape, "shape");
    const size_t rank = size_t(from.ndim);
    const shlo::ValueTypePtr type = shlo::MakeTensorType(*element, {from.shape, rank});
    if (!type) Fail(Code::kUsage, "the shape is negative or too large");
    const void* data = static_cast<const char*>(from.data) + from.byte_offset;
    *out = FromMemory(type, data, from.strides ? std::span(from.strides, rank) : std::span<int64_t>(),
                      /*borrow=*/true, owner)
               .release();
  });
}

shlo_error* shlo_tensor_to_dlpack(const shlo_tensor* tensor, struct DLManagedTensor** out) {
  return Make(out, [&] {
    Require(tensor, "tensor");
    const shlo::ValueType& type = tensor->tensor.type();
    const auto dtype = DlTypeOf(type);
    if (!dtype) Fail(Code::kUnsupported, shlo::StrFormat("DLPack has no {}", tensor->type));
    auto exported = std::make_unique<Exported>();
    exported->tensor = Retained(tensor);
    exported->shape = type.shape;
    exported->strides.resize(type.shape.size());
    int64_t stride = 1;
    for (size_t d = type.shape.size(); d-- > 0;) {
      exported->strides[d] = stride;
      stride *= std::max<int64_t>(type.shape[d], 1);
    }
    DLTensor& to = exported->managed.dl_tensor;
    to.data = const_cast<uint8_t*>(Expanded(*tensor).data());
    to.device = {kDLCPU, 0};
    to.ndim = int(type.shape.size());
    to.dtype = *dtype;
    to.shape = exported->shape.data();
    to.strides = exported->strides.data();
    to.byte_offset = 0;
    exported->managed.manager_ctx = exported.get();
    exported->managed.deleter = [](DLManagedTensor* managed) {
      delete static_cast<Exported*>(managed->manager_ctx);
    };
    return &exported.release()->managed;
  });
}

shlo_error* shlo_tensors_create(shlo_tensors** out) {
  return Make(out, [&] { return new shlo_tensors; });
}

shlo_error* shlo_tensors_add(shlo_tensors* tensors, const char* name, shlo_tensor* tensor) {
  return Try([&] {
    Require(tensors, "tensors");
    Require(tensor, "tensor");
    Add(Retained(tensor), Text(name), tensors);
  });
}

size_t shlo_tensors_count(const shlo_tensors* tensors) { return tensors ? tensors->list.size() : 0; }

shlo_tensor* shlo_tensors_at(const shlo_tensors* tensors, size_t i) {
  return i < shlo_tensors_count(tensors) ? tensors->list[i] : nullptr;
}

shlo_str shlo_tensors_name(const shlo_tensors* tensors, size_t i) {
  return i < shlo_tensors_count(tensors) ? Str(tensors->names[i]) : shlo_str{nullptr, 0};
}

void shlo_tensors_free(shlo_tensors* tensors) { delete tensors; }

shlo_error* shlo_tensors_read(const void* data, size_t size, const shlo_program* program,
                              const char* function, const shlo_limits* limits, shlo_tensors** out) {
  return Make(out, [&] {
    return ReadTensors(BytesOf(data, size, false, nullptr, nullptr, "<tensors>"), program, function,
                       LimitsOf(limits, size));
  });
}

shlo_error* shlo_tensors_read_file(const char* path, const shlo_program* program, const char* function,
                                   const shlo_limits* limits, shlo_tensors** out) {
  return Make(out, [&] {
    constexpr uint64_t kCopyBelow = uint64_t(16) << 20;
    shlo::InputFile file = Take(shlo::OpenInput(FilePath(path), shlo::kMaxStream, kCopyBelow));
    const uint64_t size = file.bytes.size();
    return ReadTensors(std::move(file), program, function, LimitsOf(limits, size));
  });
}

shlo_error* shlo_tensors_write(const shlo_tensors* tensors, shlo_tensor_format format, shlo_buffer** out) {
  return Make(out, [&] {
    Require(tensors, "tensors");
    CheckFormat(format);
    std::string bytes;
    Take(WriteTensorsTo(Named(*tensors), format, [&](std::string_view piece) {
      bytes += piece;
      return true;
    }));
    return NewBuffer(std::move(bytes));
  });
}

shlo_error* shlo_tensors_write_file(const shlo_tensors* tensors, const char* path,
                                    shlo_tensor_format format) {
  return Try([&] {
    Require(tensors, "tensors");
    CheckFormat(format);
    const std::string name = FilePath(path);
    if (format == SHLO_TENSORS_DEFAULT && name.ends_with(".safetensors")) format = SHLO_TENSORS_SAFETENSORS;
    const shlo::NamedTensors named = Named(*tensors);
    shlo::OutputFile file(name);
    Take(file.Open(/*binary=*/true));
    auto written = WriteTensorsTo(named, format, [&](std::string_view piece) {
      file.Append(piece);
      return !file.failed();
    });
    // Commit reports a failure of the system, with its reason.
    if (!written && !file.failed()) throw Failed{std::move(written.error())};
    Take(file.Commit());
  });
}

}  // extern "C"
