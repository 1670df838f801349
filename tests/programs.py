"""Programs that tests of several commands run."""

# Never ends: limits and interrupts stop it.
ENDLESS = """func.func @main() -> tensor<i32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.while(%i = %0) : tensor<i32> cond {
    %true = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %true : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i32>
  }
  return %1 : tensor<i32>
}
"""

_TYPE = "tensor<1500x1500xf32>"
# Takes seconds to compare: a function alone is within what a proof spends on one.
SLOW = "".join(
    f"""func.func @f{i}(%x: {_TYPE}) -> {_TYPE} {{
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : ({_TYPE}, {_TYPE}) -> {_TYPE}
  return %0 : {_TYPE}
}}
""" for i in range(30))
