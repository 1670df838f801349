#include "conversion/conversion_json.h"

namespace shlo {

Json ConversionJson(const ConversionReport& report) {
  Json j = Json::object();
  j["from"] = ToJson(report.from);
  j["to"] = ToJson(report.to);
  Json steps = Json::array(), expanded = Json::array(), dropped = Json::array(), dialects = Json::array();
  for (const AppliedStep& step : report.steps)
    steps.push_back(
        {{"from", step.from}, {"to", step.to}, {"boundary", ToJson(step.boundary)}, {"op_count", step.ops}});
  for (const ExpandedOps& ops : report.expanded)
    expanded.push_back({{"name", ops.op}, {"op_count", ops.count}});
  for (const DroppedHints& hints : report.dropped)
    dropped.push_back({{"name", hints.name}, {"count", hints.count}});
  for (const ConvertedDialect& dialect : report.dialects) {
    Json converted = Json::object();
    converted["name"] = dialect.name;
    converted["from"] = dialect.from;
    converted["to"] = dialect.to;
    converted["steps"] = Json::array();
    for (const DialectStep& step : dialect.steps)
      converted["steps"].push_back(
          {{"change", step.change}, {"boundary", step.boundary}, {"op_count", step.ops}});
    dialects.push_back(std::move(converted));
  }
  j["steps"] = std::move(steps);
  j["expanded"] = std::move(expanded);
  j["dropped_hints"] = std::move(dropped);
  j["dialects"] = std::move(dialects);
  return j;
}

}  // namespace shlo
