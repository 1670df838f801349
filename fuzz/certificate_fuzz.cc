// Fuzzes certificates: the input is one, as JSON or carried by a .shlo file, of a pair of programs or of any
// other. The checker must refuse it for every pair whose first program is the same and whose second one has a
// mistake, whatever it claims.
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/require.h"
#include "fuzz/text_mutator.h"
#include "prove/planter.h"
#include "serialize/shlo/test_damage.h"
#include "shlo/certificate.h"
#include "shlo/convert.h"
#include "shlo/prove.h"
#include "shlo/shlo_reader.h"
#include "shlo/text_reader.h"
#include "shlo/verify.h"

namespace {

using namespace shlo;
using fuzz::Require;

// Duplicates, dead code, regions, a law of conversion and side effects: what a certificate speaks about.
constexpr char kPrograms[][2048] = {R"(
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = stablehlo.constant dense<2.0> : tensor<4xf32>
  %d = stablehlo.constant dense<2.0> : tensor<4xf32>
  %0 = stablehlo.add %a, %c : tensor<4xf32>
  %1 = stablehlo.add %a, %d : tensor<4xf32>
  %dead = stablehlo.negate %b : tensor<4xf32>
  %2 = stablehlo.multiply %1, %b : tensor<4xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<4xf32>
  %4 = stablehlo.exponential %3 : tensor<4xf32>
  return %4, %1 : tensor<4xf32>, tensor<4xf32>
})",
                                    R"(
func.func @main(%n: tensor<i32>, %x: tensor<3x4xf32>) -> (tensor<i32>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.while(%i = %n) : tensor<i32> cond {
    %limit = stablehlo.constant dense<10> : tensor<i32>
    %less = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %u = stablehlo.custom_call @log(%s) {has_side_effect = true} : (tensor<3xf32>) -> tensor<3xf32>
  %t = func.call @twice(%u) : (tensor<3xf32>) -> tensor<3xf32>
  return %r, %t : tensor<i32>, tensor<3xf32>
}
func.func private @twice(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
})"};

// The first program, one that is equal to it, and others that are not.
struct Family {
  Module first;
  Module equal;
  std::vector<Module> different;
  std::string certificate;  // of the first two
};

// A certificate names functions, so that each program here has one that is public and that all mistakes
// change.
std::vector<Family> MakeFamilies() {
  std::vector<Family> families;
  for (const char* text : kPrograms) {
    auto first = ReadText(text, nullptr);
    Require(first, "a program of this target cannot be read");
    auto equal = Convert(*first, kFirstRelease);
    Require(equal, "a program of this target cannot be converted");
    Family& family = families.emplace_back(Family{std::move(*first), std::move(equal->module), {}, {}});
    for (const Module* from : {&family.first, &family.equal}) {
      prove::Planter(*from, [&](const Module& mutant, const std::string&) {
        if (!HasErrors(Verify(mutant, {.strictness = Strictness::kLenient})))
          family.different.push_back(mutant);
      }).Run();
    }
    Require(family.different.size() > 10, "no mistakes are planted");
    const ProveOptions options{.max_inputs = 1, .matching = true};
    const auto proof = Prove(family.first, family.equal, options);
    Require(proof, "the programs of this target are not compared");
    const auto certificate = CertificateOf(*proof, options, family.first, family.equal);
    Require(certificate, "the programs of this target have no certificate");
    family.certificate = CertificateText(*certificate);
  }
  return families;
}

const std::vector<Family>& Families() {
  static const std::vector<Family> families = MakeFamilies();
  return families;
}

// Returns the certificate in the input, or "".
std::string CertificateIn(std::string bytes) {
  if (!IsShlo(bytes)) return bytes;
  RepairChecksums(&bytes);
  const auto info = InspectShlo(bytes, {.limits = {.max_memory = 1 << 20}});
  return info ? info->certificate : "";
}

}  // namespace

// Now and then starts again from a certificate that holds: nobody writes such seeds by hand.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  constexpr unsigned kSeldom = 256;
  if (size > 1 && seed % kSeldom != 0) return shlo::fuzz::MutateText(data, size, max_size, seed);
  const std::vector<Family>& families = Families();
  const std::string& valid = families[seed / kSeldom % families.size()].certificate;
  if (valid.size() > max_size) return shlo::fuzz::MutateText(data, size, max_size, seed);
  std::memcpy(data, valid.data(), valid.size());
  return valid.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<Family>& families = Families();
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto certificate = ParseCertificate(CertificateIn(bytes));
  if (!certificate) {
    Require(HasErrors(certificate.error()), "a certificate is refused without an error");
    return 0;
  }
  const std::string text = CertificateText(*certificate);
  for (const std::string& form : {text, CertificateStatement(*certificate)}) {
    const auto again = ParseCertificate(form);
    Require(again, "a certificate that was written cannot be read");
    Require(CertificateText(*again) == text, "a certificate changes when it is written");
  }
  fuzz::Choices choices(bytes);
  for (const Family& family : families) {
    (void)CheckCertificate(*certificate, family.first, family.equal);
    (void)CheckCertificate(*certificate, family.equal, family.first);
    // Some of them each time, for more runs per second.
    for (int i = 0; i < 3; ++i) {
      const Module& other = family.different[choices.Below(family.different.size())];
      for (const auto& [a, b] : {std::pair(&family.first, &other), std::pair(&other, &family.first)}) {
        const auto check = CheckCertificate(*certificate, *a, *b);
        Require(!check || check->verified.empty(), "a certificate holds for programs that differ");
      }
    }
  }
  return 0;
}
