// Walks through a program: its functions, and their ops with operands, result types and places.
//   inspect FILE
#include <cstdio>

#include "shlo/program_io.h"

namespace {

void ShowOp(const shlo::Program& program, shlo::OpId id, int indent) {
  // Everything in a module is a row of an array, addressed by its id.
  const shlo::Module& m = program.module;
  const shlo::Op& op = m.ops[id.v];
  const shlo::Place place = shlo::PlaceOf(m, id, &program.source);
  std::printf("%*s%s, line %u", indent, "", std::string(m.NameOf(op)).c_str(), place.line);
  if (const auto name = m.SymbolOf(op); !name.empty()) std::printf(", @%s", std::string(name).c_str());
  if (m.NumOperands(op)) std::printf(", %u operands", m.NumOperands(op));
  for (uint32_t i = 0; i < m.NumResults(op); ++i)
    std::printf("%s %s", i ? "," : " ->", shlo::TypeText(m, m.TypeOf(m.ResultOf(op, i))).c_str());
  std::printf("\n");

  // Inherent attributes in the order of the op's revision; an absent one has its default. Then discardable
  // ones.
  for (size_t i = 0; m.RevisionIdOf(op) && i < m.InherentAttrsOf(op).size(); ++i)
    if (const shlo::AttrId value = m.InherentAttrsOf(op)[i])
      std::printf("%*s  %s = %s\n", indent, "",
                  std::string(shlo::RevisionOf(m.RevisionIdOf(op)).attrs[i].name).c_str(),
                  shlo::AttrText(m, value).c_str());
  for (const shlo::NamedAttr& attr : m.DiscardableAttrsOf(op))
    std::printf("%*s  %s = %s\n", indent, "", std::string(m.strings[attr.name]).c_str(),
                shlo::AttrText(m, attr.value).c_str());

  for (const shlo::RegionId region : m.RegionsOf(op))
    for (const shlo::BlockId block : m.BlocksOf(region))
      for (const shlo::OpId inner : m.OpsOf(block)) ShowOp(program, inner, indent + 2);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: inspect FILE\n", stderr), 2;
  const auto program = shlo::ReadProgramFile(argv[1]);
  if (!program) return std::fputs(shlo::Render(program.error()[0]).c_str(), stderr), 1;
  ShowOp(*program, program->module.top, 0);
  return 0;
}
