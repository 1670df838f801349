// RUN: roundtrip
// Ops, attributes and types of dialects that nobody here knows survive.
module {
  func.func @main(%arg0: tensor<4xf32, #other.layout<rows>>, %arg1: !other.handle<3>) {
    %0 = "other.make"(%arg1) {kind = #other.kind<"a", 1>, plain, map = affine_map<(d0, d1) -> (d1, d0)>} : (!other.handle<3>) -> !other.handle
    "other.use"(%0, %arg0) ({
      "other.end"() : () -> ()
    }) : (!other.handle, tensor<4xf32, #other.layout<rows>>) -> ()
    return
  }
}
