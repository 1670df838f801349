// shlo-compat: converts StableHLO programs between versions and formats, and inspects them.
#include "tool_main.h"

int main(int argc, char** argv) { return shlo::tool::Main(argc, argv); }
