#include "eval/grid/message.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/try.h"
#include "eval/naive/program.h"

namespace shlo {
namespace {

// Returns a tensor of a type as text, with different bits in its elements.
Tensor Numbered(const std::string& type, bool splat = false) {
  const auto module = naive::Read("func.func private @f(" + type + ")");
  EXPECT_TRUE(module) << type;
  const ValueTypePtr found = TensorTypeOf(*module, DeclaredArguments(*module, "f")[0]);
  EXPECT_TRUE(found) << type;
  std::string bytes(splat ? found->element.bytes() : found->bytes, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = char(i * 37 + 129);
  return Tensor::Copy(found, bytes, splat);
}

bool Same(const Tensor& a, const Tensor& b) {
  if (!(a.type() == b.type()) || a.splat() != b.splat() || a.members().size() != b.members().size())
    return false;
  for (size_t i = 0; i < a.members().size(); ++i)
    if (!Same(a.members()[i], b.members()[i])) return false;
  return !a.type().is_tensor() || BitEqual(a, b);
}

std::string Written(const std::vector<Tensor>& values) {
  MessageWriter writer(MessageKind::kValues);
  writer.Values(values);
  return writer.Take();
}

Result<std::vector<Tensor>> ReadValues(std::string bytes) {
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  MessageReader reader(*owner, owner, MessageKind::kValues);
  std::vector<Tensor> values = reader.Values();
  SHLO_TRY(reader.End());
  return values;
}

std::vector<Tensor> EveryType() {
  std::vector<Tensor> all;
  for (const KindRow& row : TypeKinds()) {
    const ElementType element{TypeKind(row.id)};
    const int64_t shape[] = {2, 3};
    if (!MakeTensorType(element, shape)) continue;
    all.push_back(Numbered("tensor<2x3x" + ElementName(element) + ">"));
    all.push_back(Numbered("tensor<7x" + ElementName(element) + ">", true));
  }
  EXPECT_GE(all.size(), 2 * 25u);
  for (const char* type : {"tensor<2xcomplex<f32>>", "tensor<2xcomplex<f64>>", "tensor<3xsi32>",
                           "tensor<f32>", "tensor<0x4xf32>", "tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>",
                           "tensor<4x!quant.uniform<u8<1:250>:bf16, 1.0e-3>>",
                           "tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 2.0:-3}>>",
                           "tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5, 1.0}, {2.0, 3.0:1}}>>"})
    all.push_back(Numbered(type));
  all.push_back(Tensor::Token());
  all.push_back(Tensor::Tuple({}));
  all.push_back(
      Tensor::Tuple({Numbered("tensor<2xi4>"), Tensor::Tuple({Tensor::Token(), Numbered("tensor<i1>")})}));
  return all;
}

TEST(Message, ValuesOfEveryTypeKeepTheirBits) {
  const std::vector<Tensor> all = EveryType();
  const auto read = ReadValues(Written(all));
  ASSERT_TRUE(read) << naive::Message(read.error());
  ASSERT_EQ(read->size(), all.size());
  for (size_t i = 0; i < all.size(); ++i)
    EXPECT_TRUE(Same((*read)[i], all[i])) << TypeName(all[i].type()) << " " << i;
}

TEST(Message, DiagnosticsKeepEverything) {
  Diagnostic d;
  d.severity = Severity::kWarning;
  d.code = Code::kLimit;
  d.place = {"file", 3, 5, "section", 7, "main", "loc(\"x\")", "a line"};
  d.op = "stablehlo.add";
  d.version.n = 62;
  d.message = std::string("a\0b", 3);
  d.hint = "hint";
  MessageWriter writer(MessageKind::kOutcome);
  writer.Problems({d, {}});
  const std::string bytes = writer.Take();
  MessageReader reader(bytes, nullptr, MessageKind::kOutcome);
  const Diagnostics read = reader.Problems(true);
  ASSERT_TRUE(reader.End());
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(Render(read[0]), Render(d));
  EXPECT_EQ(read[0].place.section, "section");
  EXPECT_EQ(read[0].place.location, d.place.location);
  EXPECT_EQ(read[0].place.offset, 7u);
  EXPECT_EQ(read[0].version, d.version);
  EXPECT_EQ(read[1].place.offset, Place::kNone);
}

// A process that failed says why.
TEST(Message, FailureNeedsAnError) {
  MessageWriter writer(MessageKind::kOutcome);
  writer.Problems({Warning(Code::kLimit, "only a warning")});
  const std::string bytes = writer.Take();
  for (bool failed : {false, true}) {
    MessageReader reader(bytes, nullptr, MessageKind::kOutcome);
    EXPECT_EQ(reader.Problems(failed).size(), failed ? 0u : 1u);
    EXPECT_EQ(bool(reader.End()), !failed);
  }
}

// A message that is cut is an error; one whose bits change is one, or has other values.
TEST(Message, Damage) {
  for (const Tensor& value : EveryType()) {
    const std::string bytes = Written({value, Tensor::Token()});
    for (size_t cut = 0; cut < bytes.size(); ++cut) EXPECT_FALSE(ReadValues(bytes.substr(0, cut))) << cut;
    EXPECT_FALSE(ReadValues(bytes + '\0'));
    for (size_t at = 0; at < bytes.size(); ++at)
      for (int flip : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF}) {
        std::string damaged = bytes;
        damaged[at] = char(damaged[at] ^ flip);
        const auto read = ReadValues(damaged);
        if (!read) continue;
        // Values that can be read can be written, and are the same again.
        const auto again = ReadValues(Written(*read));
        ASSERT_TRUE(again);
        ASSERT_EQ(again->size(), read->size());
        for (size_t i = 0; i < read->size(); ++i) ASSERT_TRUE(Same((*again)[i], (*read)[i]));
      }
  }
}

TEST(Message, Words) {
  const auto words = [](const Result<std::vector<Tensor>>& result) {
    return result ? std::string("no error") : naive::Message(result.error()) + "|" + result.error()[0].hint;
  };
  std::string bytes = Written({Tensor::Token()});
  EXPECT_EQ(words(ReadValues(bytes.substr(0, 4))), ": message of a process is damaged at byte 2|");
  bytes[0] = 2;
  EXPECT_EQ(words(ReadValues(bytes)),
            ": message of a process has another format|run the same release wherever processes are placed");
  // Tuples that nest without end.
  MessageWriter deep(MessageKind::kValues);
  deep.Number(1);
  for (int i = 0; i < 100'000; ++i) {
    deep.Byte(1);
    deep.Number(1);
  }
  EXPECT_FALSE(ReadValues(deep.Take()));
}

}  // namespace
}  // namespace shlo
