// Reports of what a container states, for people and as JSON.
#pragma once

#include "base/printable.h"
#include "shlo/container.h"
#include "tasks/json.h"

namespace shlo::tasks {

Json ContainerJson(const ContainerInfo& info);
TerminalText ContainerText(const ContainerInfo& info);

}  // namespace shlo::tasks
