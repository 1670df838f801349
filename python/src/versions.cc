// Versions, consumers, dialects of the user, and conversion between versions.
#include "bind.h"

namespace shlo::python {
namespace {

nb::object VersionInfo(shlo_version version) {
  shlo_version_info info = SHLO_VERSION_INFO_INIT;
  if (shlo_version_get(version, &info) == 0) return nb::none();
  return nb::make_tuple(info.version, Text(info.release), info.year, info.month, info.day,
                        info.date_is_bound != 0, info.bytecode_format, Text(info.change));
}

nb::dict ConsumerInfo(const shlo_consumer* consumer) {
  shlo_consumer_info info = SHLO_CONSUMER_INFO_INIT;
  nb::dict out;
  if (shlo_consumer_get(consumer, &info) == 0) return out;
  out["name"] = Text(info.name);
  out["version"] = info.version;
  out["package"] = Text(info.package);
  out["package_version"] = Text(info.package_version);
  out["release"] = Text(info.release);
  out["is_version"] = info.is_version != 0;
  out["assumed_as"] = Text(info.assumed_as);
  return out;
}

// Options of conversion.
struct ConvertCall {
  explicit ConvertCall(nb::dict dict) : options(std::move(dict)) {
    options.Get("consumers", &convert.consumers, &convert.consumer_count);
    options.Get("expand", &convert.expand);
    options.Get("expand_composites", &convert.expand_composites);
    options.Get("fold", &convert.fold);
    options.Get("fold_limit", &convert.fold_limit);
    options.Get("window", &convert.window);
    options.Get("allow_outside_window", &convert.allow_outside_window);
    options.Get("allow_other_dialects", &convert.allow_other_dialects);
    options.Get("portable", &convert.portable);
    options.Get("lenient", &convert.lenient);
    options.Get("dialects", &convert.dialects, &convert.dialect_count);
    options.Get("dialect_targets", &convert.dialect_targets, &convert.dialect_target_count);
    options.Get("max_blockers", &convert.max_blockers);
    options.Get("drop_hints", &convert.drop_hints);
    options.Get("every_place", &convert.every_place);
    options.Get("limits", &convert.limits);
    convert.warnings = &warnings;
  }
  // Warnings of a call that failed are in its error.
  void Finish(shlo_error* error) {
    if (error != nullptr) shlo_diagnostics_free(std::exchange(warnings, nullptr));
    Check(error);
  }
  Options options;
  shlo_convert_options convert = SHLO_CONVERT_OPTIONS_INIT;
  shlo_diagnostics* warnings = nullptr;
};

// (program, JSON of what was done, warnings)
nb::object Convert(const Program& program, shlo_version target, nb::dict dict) {
  ConvertCall call(std::move(dict));
  call.options.End();
  shlo_program* out = nullptr;
  shlo_conversion* conversion = nullptr;
  shlo_buffer* json = nullptr;
  call.Finish(WithoutGil([&] {
    shlo_error* error = shlo_convert(program.handle, target, &call.convert, &out, &conversion);
    if (error == nullptr) error = shlo_conversion_json(conversion, &json);
    shlo_conversion_free(conversion);
    if (error != nullptr) shlo_program_release(out);
    return error;
  }));
  return nb::make_tuple(new Program(out), TakeText(json), TakeDiagnostics(call.warnings));
}

nb::list Blockers(const Program& program, shlo_version target, nb::dict dict) {
  ConvertCall call(std::move(dict));
  call.options.End();
  shlo_diagnostics* out = nullptr;
  call.Finish(WithoutGil([&] { return shlo_blockers(program.handle, target, &call.convert, &out); }));
  shlo_diagnostics_free(call.warnings);
  return TakeDiagnostics(out);
}

shlo_version LowestTarget(const Program& program, nb::dict dict) {
  ConvertCall call(std::move(dict));
  call.options.End();
  shlo_version out = 0;
  call.Finish(WithoutGil([&] { return shlo_lowest_target(program.handle, &call.convert, &out); }));
  shlo_diagnostics_free(call.warnings);
  return out;
}

std::vector<shlo_version> PossibleTargets(const Program& program, nb::dict dict) {
  ConvertCall call(std::move(dict));
  call.options.End();
  std::vector<shlo_version> out(shlo_version_count());
  size_t count = 0;
  call.Finish(WithoutGil(
      [&] { return shlo_possible_targets(program.handle, &call.convert, out.data(), out.size(), &count); }));
  shlo_diagnostics_free(call.warnings);
  out.resize(count);
  return out;
}

shlo_version Negotiate(nb::handle program, nb::handle consumer, nb::dict dict) {
  ConvertCall call(std::move(dict));
  shlo_negotiation negotiation = SHLO_INIT(shlo_negotiation);
  call.options.Get("producer_minimum", &negotiation.producer_minimum);
  call.options.Get("producer_current", &negotiation.producer_current);
  call.options.Get("consumer_minimum", &negotiation.consumer_minimum);
  call.options.Get("consumer_current", &negotiation.consumer_current);
  call.options.Get("today", &negotiation.today);
  call.options.End();
  if (!program.is_none()) negotiation.program = nb::cast<const Program&>(program).handle;
  if (!consumer.is_none()) negotiation.consumer = nb::cast<const Consumer&>(consumer).handle;
  negotiation.convert = &call.convert;
  shlo_version out = 0;
  call.Finish(WithoutGil([&] { return shlo_negotiate(&negotiation, &out); }));
  shlo_diagnostics_free(call.warnings);
  return out;
}

}  // namespace

void DefineVersions(nb::module_& module) {
  nb::class_<Consumer>(module, "Consumer");
  nb::class_<Consumers>(module, "Consumers");
  nb::class_<Dialect>(module, "Dialect");
  SHLO_BIND(version_current);
  SHLO_BIND(version_minimum);
  SHLO_BIND(version_first_release);
  SHLO_BIND(version_count);
  SHLO_BIND(version_at);
  module.def("version_get", &VersionInfo);
  SHLO_BIND(version_parse);
  SHLO_BIND(consumers_create);
  module.def("consumers_list", [](const Consumers& consumers) {
    nb::list out;
    for (size_t i = 0; i < shlo_consumers_count(consumers.handle); ++i)
      out.append(ConsumerInfo(shlo_consumers_at(consumers.handle, i)));
    return out;
  });
  SHLO_BIND(consumers_json);
  SHLO_BIND(consumer_find);
  module.def("consumer_get", [](const Consumer& consumer) { return ConsumerInfo(consumer.handle); });
  SHLO_BIND(dialect_read);
  SHLO_BIND(dialect_name);
  module.def("convert", &Convert);
  module.def("blockers", &Blockers);
  module.def("lowest_target", &LowestTarget);
  module.def("possible_targets", &PossibleTargets);
  module.def("negotiate", &Negotiate, nb::arg().none(), nb::arg().none(), nb::arg());
}

}  // namespace shlo::python
