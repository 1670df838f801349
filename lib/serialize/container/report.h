// Reports of what a container states, for people and as JSON.
#pragma once

#include "base/printable.h"
#include "ir/json.h"
#include "shlo/container.h"

namespace shlo {

Json ContainerJson(const ContainerInfo& info);
TerminalText ContainerText(const ContainerInfo& info);

}  // namespace shlo
